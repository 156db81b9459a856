import {isDeepStrictEqual} from 'node:util';
import {TraceError} from '../../src/core/base/errors.js';
import {readFileHead} from '../../src/importers/reading/file-head.js';
import {nsysImporter, readNsys} from '../../src/importers/nsys/import-nsys.js';
import {NotPlain} from '../../src/importers/sqlite/not-plain.js';
import {plainTrace} from '../support/plain-trace.js';

/**
 * Returns what is wrong with how the pages of an export are read, or null: they must give the same result as SQLite, or
 * be left to it. Other files are skipped.
 */
export async function disagreementOfWays(path: string): Promise<string | null> {
  const pages = await outcome(path, 'pages');
  if (pages === null) return null;
  const sql = await outcome(path, 'sql');
  // The wording of the refusal does not matter.
  if (typeof pages === 'string' && typeof sql === 'string') return null;
  return isDeepStrictEqual(pages, sql) ? null : 'its pages tell another trace than SQLite';
}

/** Returns the trace, or the sentence that refuses it; null if the pages are left to SQLite. */
async function outcome(path: string, way: 'pages' | 'sql'): Promise<Record<string, unknown> | string | null> {
  try {
    const file = await readFileHead(path);
    return nsysImporter.matches(file) ? plainTrace(await readNsys(file, {}, way)) : null;
  } catch (error) {
    if (error instanceof NotPlain) return null;
    if (error instanceof TraceError) return error.message;
    throw error;
  }
}
