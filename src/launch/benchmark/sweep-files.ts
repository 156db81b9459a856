import {createHash} from 'node:crypto';
import {appendFile, open, readdir, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {TraceError} from '../../core/errors.js';
import type {SweepConfig} from '../../core/benchmark/sweep-config.js';
import type {SweepPoint} from '../../core/benchmark/sweep-points.js';
import {readSweepRecord, sweepLineText, type SweepLine, type SweepRecord} from '../../core/benchmark/sweep-record.js';
import {readRegularFile} from '../regular-file.js';

/** The folder of sweeps, below the output folder. */
export const sweepsFolder = 'benchmarks' as const;
/** A sweep's file, in its folder. */
export const resultsFile = 'results.jsonl';

/** A larger file is none of ours: a result takes a few KB. */
const longestBytes = 256 << 20;

/** A sweep with the folder that it is kept in. */
export interface KeptSweep {
  readonly folder: string;
  readonly record: SweepRecord;
}

/** What tells sweeps apart: what is measured, and how often. */
export function sweepId(config: SweepConfig, points: readonly SweepPoint[]): string {
  const {vocabulary, threads, warmupSteps, steps} = config;
  const text = JSON.stringify({points, vocabulary, threads, warmupSteps, steps});
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Every sweep that is kept below an output folder, the latest first. */
export async function keptSweeps(output: string): Promise<KeptSweep[]> {
  const home = join(output, sweepsFolder);
  const names = (await readdir(home).catch(() => [])).sort().reverse();
  const all = await Promise.all(names.map(name => readSweep(join(home, name))));
  return all.filter(sweep => sweep !== null);
}

/** The sweep in a folder; null where there is none. */
export async function readSweep(folder: string): Promise<KeptSweep | null> {
  const record = await readRegularFile(join(folder, resultsFile), async (file, bytes) =>
    bytes <= longestBytes ? readSweepRecord(await file.readFile('utf8')) : null,
  );
  return record && {folder, record};
}

/** Appends a line. A file that ends in half a line, since its writer was killed, gets a line feed first. */
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

/**
 * Runs `run` as the one process that measures this sweep.
 *
 * @throws TraceError `bench/running` where another one does
 */
export async function withLock<T>(output: string, id: string, run: () => Promise<T>): Promise<T> {
  const path = join(output, sweepsFolder, `${id}.lock`);
  await takeLock(path);
  try {
    return await run();
  } finally {
    await rm(path, {force: true});
  }
}

async function takeLock(path: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const file = await open(path, 'wx').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
      throw error;
    });
    if (file) {
      await file.writeFile(String(process.pid));
      await file.close();
      return;
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => ''));
    if (attempt > 0 || isRunning(holder)) {
      const who = isRunning(holder) ? `process ${String(holder)}` : 'another process';
      throw new TraceError(
        'bench/running',
        `This sweep is being measured by ${who}: wait for it, or end it; if there is none, delete ${path}.`,
      );
    }
    await rm(path, {force: true});
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
