import {open, stat} from 'node:fs/promises';
import {basename} from 'node:path';
import {TraceError} from '../core/base/errors.js';
import type {JobRank} from '../core/job/job-rank.js';
import {NotASummary, ranksOfSummary} from '../core/job/ranks-of-summary.js';
import {summaryColumns} from '../core/job/summary-table.js';
import {fileError} from '../importers/reading/file-head.js';
import {BadParquet} from './bad-parquet.js';
import {isParquet, readParquet} from './read-parquet.js';

/** A rank's summary has some kB; with a million calls of collectives it has 30 MB. */
const mostBytes = 256e6;

/** Most summaries are smaller, and are read at once: a job has a thousand, and each further read waits for the disk. */
const usualBytes = 65_536;

const names = summaryColumns.map(({name}) => name);

/**
 * Reads the ranks in a file of `gpu-lens summarize`; null for a file that is not Parquet.
 *
 * @param position number of its first rank among the job's, for ranks without a number
 * @throws TraceError `import/damaged`, `import/too-large`, `file/…`
 */
export async function readSummary(path: string, position: number): Promise<JobRank[] | null> {
  const name = basename(path);
  const bytes = await readIfParquet(path, name);
  if (bytes === null) return null;
  try {
    const {columns, rows} = await readParquet(bytes, names);
    return ranksOfSummary(columns, rows, position);
  } catch (error) {
    if (!(error instanceof BadParquet || error instanceof NotASummary)) throw error;
    throw new TraceError('import/damaged', `${name} is not a readable summary of a rank: ${error.message}.`, {
      cause: error,
    });
  }
}

async function readIfParquet(path: string, name: string): Promise<Uint8Array | null> {
  try {
    // The reader of profiles reports what is not a file. Opening a pipe would wait for somebody who writes into it.
    if (!(await stat(path)).isFile()) return null;
    const file = await open(path);
    try {
      const head = new Uint8Array(usualBytes);
      const {bytesRead} = await file.read(head, 0, usualBytes, 0);
      if (bytesRead < 4 || !isParquet(head)) return null;
      if (bytesRead < usualBytes) return head.subarray(0, bytesRead);
      const {size} = await file.stat();
      if (size <= mostBytes) return new Uint8Array(await file.readFile());
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileError(error, name);
  }
  throw new TraceError('import/too-large', `${name} is not a summary of a rank: it has more than 256 MB.`);
}
