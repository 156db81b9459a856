import {readdir, rename, writeFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {parsePredictions, type KeptPrediction} from '../../core/what-if/record/track-record.js';
import {readRegularFile} from '../programs/regular-file.js';
import {readRunFile} from './run-file.js';

const fileName = 'predictions.json';
/** More have no meaning; a larger file is none of ours. */
const mostKept = 200;
const longestBytes = 1 << 20;
/** So many runs are looked into, the latest first. */
const mostRuns = 300;

/** A run's predictions. */
export interface RunPredictions {
  readonly folder: string;
  readonly predictions: readonly KeptPrediction[];
}

/** What is predicted of a profile: its outcome is known later. */
export type NewPrediction = Omit<KeptPrediction, 'file' | 'outcome'>;

/**
 * Keeps predictions of a profile in the folder of its run, in place of earlier ones of the same changes. A profile that lies
 * in no run's folder, or in one that cannot be written, keeps none.
 *
 * @returns whether they are kept
 */
export async function keepPredictions(profile: string, made: readonly NewPrediction[]): Promise<boolean> {
  const folder = dirname(profile);
  if (made.length === 0 || (await readRunFile(folder)) === null) return false;
  const added = made.map((one): KeptPrediction => ({...one, file: basename(profile), outcome: null}));
  const keyOf = ({file, changes}: KeptPrediction) => JSON.stringify([file, changes]);
  const before = await readPredictions(folder);
  const all = new Map([...before, ...added].map(one => [keyOf(one), one]));
  // Asked again, a prediction has its outcome still.
  for (const {outcome, ...one} of before) {
    const now = all.get(keyOf({...one, outcome}));
    if (now?.outcome === null && outcome) all.set(keyOf(now), {...now, outcome});
  }
  return writePredictions(folder, [...all.values()].slice(-mostKept));
}

/** Returns the predictions that are kept in a run's folder. */
async function readPredictions(folder: string): Promise<KeptPrediction[]> {
  const kept = await readRegularFile(join(folder, fileName), async (file, bytes) =>
    bytes <= longestBytes ? parsePredictions(await file.readFile('utf8')) : null,
  );
  return kept ?? [];
}

/** Returns the predictions of all runs in a folder of runs, those of the earliest run first. */
export async function predictionsOfRuns(runs: string): Promise<RunPredictions[]> {
  const names = (await readdir(runs).catch((): string[] => [])).sort().slice(-mostRuns);
  const all = await Promise.all(
    names.map(async folder => ({folder, predictions: await readPredictions(join(runs, folder))})),
  );
  return all.filter(({predictions}) => predictions.length > 0);
}

/** Writes all of them or none. @returns whether they could be written */
export async function writePredictions(folder: string, predictions: readonly KeptPrediction[]): Promise<boolean> {
  const path = join(folder, fileName);
  const made = `${path}.${String(process.pid)}`;
  try {
    await writeFile(made, `${JSON.stringify({version: 1, predictions}, null, 2)}\n`, {mode: 0o600});
    await rename(made, path);
    return true;
  } catch {
    return false;
  }
}

/** The folder of the runs that a profile's run lies in. */
export function runsAround(profile: string): string {
  return dirname(dirname(profile));
}
