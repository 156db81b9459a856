import {randomUUID} from 'node:crypto';
import {lstat, readdir, rename, rm, writeFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {parsePredictions, type KeptPrediction} from '../../core/what-if/record/track-record.js';
import {lockWithin} from '../programs/file-lock.js';
import {readRegularFile} from '../programs/regular-file.js';
import {readRunFile} from './run-file.js';

const fileName = 'predictions.json';
/** Keeping more is pointless; a larger file is not ours. */
const mostKept = 200;
const longestBytes = 1 << 20;
/** Another process changes them for a few milliseconds; on a share, perhaps seconds. */
const lockWaitMs = 5000;

/** A run's predictions. */
interface RunPredictions {
  readonly folder: string;
  readonly predictions: readonly KeptPrediction[];
}

/** A prediction about a profile; its outcome is not known yet. */
export type NewPrediction = Omit<KeptPrediction, 'file' | 'outcome'>;

/** Returns the file that holds a run's predictions. */
export function predictionsFile(folder: string): string {
  return join(folder, fileName);
}

/**
 * Saves predictions of a profile in its run's folder, replacing earlier ones of the same changes.
 *
 * @returns null if the profile is in no run's folder; else whether they were saved. They are not if the folder cannot
 *   be written, or the file is damaged or not ours
 */
export async function keepPredictions(profile: string, made: readonly NewPrediction[]): Promise<boolean | null> {
  const folder = dirname(profile);
  if (made.length === 0 || (await readRunFile(folder)) === null) return null;
  return changePredictions(folder, before => {
    const all = new Map(before.map(one => [keyOf(one), one]));
    for (const one of made) {
      const added = {...one, file: basename(profile), outcome: null};
      // A repeated prediction keeps its outcome.
      all.set(keyOf(added), {...added, outcome: all.get(keyOf(added))?.outcome ?? null});
    }
    return [...all.values()].slice(-mostKept);
  });
}

/**
 * Saves outcomes with a run's predictions. Predictions added meanwhile by another window stay.
 *
 * @returns whether they were saved
 */
export async function keepOutcomes(folder: string, judged: readonly KeptPrediction[]): Promise<boolean> {
  const outcomes = new Map(judged.map(one => [keyOf(one), one.outcome]));
  return changePredictions(folder, now =>
    now.map(one => ({...one, outcome: one.outcome ?? outcomes.get(keyOf(one)) ?? null})),
  );
}

/** Changes a run's predictions; other processes wait meanwhile. @returns whether they were saved */
async function changePredictions(
  folder: string,
  change: (now: readonly KeptPrediction[]) => readonly KeptPrediction[],
): Promise<boolean> {
  // Where nothing may be written, no lock is left either.
  if ((await readPredictions(folder)) === null) return false;
  const lock = await lockWithin(`${predictionsFile(folder)}.lock`, lockWaitMs).catch(() => null);
  if (!lock) return false;
  try {
    const now = await readPredictions(folder);
    return now !== null && (await writePredictions(folder, change(now)));
  } finally {
    lock.release();
  }
}

function keyOf({file, changes}: Pick<KeptPrediction, 'file' | 'changes'>): string {
  return JSON.stringify([file, changes]);
}

/** Returns the predictions in a run's folder; null for a file that is damaged or not ours. */
async function readPredictions(folder: string): Promise<KeptPrediction[] | null> {
  const path = predictionsFile(folder);
  const kept = await readRegularFile(path, async (file, bytes) =>
    bytes <= longestBytes ? parsePredictions(await file.readFile('utf8')) : null,
  );
  return kept ?? ((await isThere(path)) ? null : []);
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** The predictions of all runs in a folder of runs. */
export interface AllPredictions {
  /** Runs with predictions, the earliest first. */
  readonly runs: readonly RunPredictions[];
  /** Run folders whose predictions file is damaged or not ours. */
  readonly damaged: readonly string[];
}

/** Returns the predictions of all runs in a folder of runs. */
export async function predictionsOfRuns(runs: string): Promise<AllPredictions> {
  const names = (await readdir(runs).catch((): string[] => [])).sort();
  const found: RunPredictions[] = [];
  const damaged: string[] = [];
  // One file at a time: of thousands of runs, all at once would be too many open files.
  for (const folder of names) {
    const predictions = await readPredictions(join(runs, folder));
    if (predictions === null) damaged.push(folder);
    else if (predictions.length > 0) found.push({folder, predictions});
  }
  return {runs: found, damaged};
}

/** Writes all of them or none. @returns whether they could be written */
async function writePredictions(folder: string, predictions: readonly KeptPrediction[]): Promise<boolean> {
  const text = `${JSON.stringify({version: 1, predictions}, null, 2)}\n`;
  if (Buffer.byteLength(text) > longestBytes) return false;
  const path = predictionsFile(folder);
  // Concurrent writers must not share a temporary file.
  const made = `${path}.${randomUUID()}`;
  try {
    await writeFile(made, text, {mode: 0o600, flag: 'wx'});
    await rename(made, path);
    return true;
  } catch {
    await rm(made, {force: true}).catch(() => undefined);
    return false;
  }
}

/** Returns the folder of runs that contains a profile's run. */
export function runsAround(profile: string): string {
  return dirname(dirname(profile));
}
