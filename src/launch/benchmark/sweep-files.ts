import {createHash} from 'node:crypto';
import {appendFile, readdir} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import type {SweepConfig} from '../../core/benchmark/sweep-config.js';
import type {SweepPoint} from '../../core/benchmark/sweep-points.js';
import {readSweepRecord, sweepLineText, type SweepLine, type SweepRecord} from '../../core/benchmark/sweep-record.js';
import {readRegularFile} from '../programs/regular-file.js';

/** The folder of sweeps, inside the output folder. */
export const sweepsFolder = 'benchmarks' as const;
/** The results file in a sweep's folder. */
export const resultsFile = 'results.jsonl';

/** A larger file is not ours: one result takes a few KB. */
const longestBytes = 256 << 20;

/** A saved sweep and its folder. */
export interface KeptSweep {
  readonly folder: string;
  readonly record: SweepRecord;
}

/** Returns the id of a sweep, computed from its points and their repetitions. */
export function sweepId(config: SweepConfig, points: readonly SweepPoint[]): string {
  const {vocabulary, threads, warmupSteps, steps} = config;
  const text = JSON.stringify({points, vocabulary, threads, warmupSteps, steps});
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Returns every sweep saved under an output folder, the latest first. */
export async function keptSweeps(output: string): Promise<KeptSweep[]> {
  const home = join(output, sweepsFolder);
  const names = (await readdir(home).catch(() => [])).sort().reverse();
  const all = await Promise.all(names.map(name => readSweep(join(home, name))));
  return all.filter(sweep => sweep !== null);
}

/** Returns whether a folder is a sweep's folder of this output folder. */
export function isKeptHere(output: string, folder: string): boolean {
  return resolve(folder) === folder && dirname(folder) === join(output, sweepsFolder);
}

/** Returns the sweep in a folder; null if there is none. */
export async function readSweep(folder: string): Promise<KeptSweep | null> {
  const record = await readRegularFile(join(folder, resultsFile), async (file, bytes) =>
    bytes <= longestBytes ? readSweepRecord(await file.readFile('utf8')) : null,
  );
  return record && {folder, record};
}

/** Appends a line. If the file ends in a partial line because its writer was killed, a line feed is written first. */
export async function appendLine(folder: string, line: SweepLine): Promise<void> {
  const path = join(folder, resultsFile);
  const text = sweepLineText(line);
  await appendFile(path, (await endsInHalfALine(path)) ? `\n${text}` : text);
}

async function endsInHalfALine(path: string): Promise<boolean> {
  const last = await readRegularFile(path, async (file, bytes) => {
    if (bytes === 0) return '\n';
    const {buffer} = await file.read(Buffer.alloc(1), 0, 1, bytes - 1);
    return buffer.toString();
  });
  return last !== null && last !== '\n';
}
