import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {getOrAdd} from '../../core/table/get-or-add.js';
import {canBeJudged, type KeptPrediction} from '../../core/what-if/record/track-record.js';
import {keepOutcomes, predictionsOfRuns, type AllPredictions} from './kept-predictions.js';
import {readRunFile} from './run-file.js';
import {isRegularFile} from '../programs/regular-file.js';

/**
 * Returns for each prediction the time a profile took if it has the predicted changes; null if it does not, or that is
 * unknown. Returns null in place of the list if the profile cannot be read.
 */
export type MeasureOutcomes = (
  profile: string,
  predictions: readonly KeptPrediction[],
) => Promise<readonly (number | null)[] | null>;

/** The most profiles opened for the outcomes of one call. */
const mostOpened = 60;

/** The predictions of all runs, and the later profiles that could not be checked. */
export interface FoundOutcomes extends AllPredictions {
  /** Paths of profiles that could not be read. */
  readonly unreadable: readonly string[];
  /** How many profiles were not opened, because of the limit per call. */
  readonly unopened: number;
}

/**
 * Looks for the outcomes that are not known yet: the first later run of the same command in the same folder that has
 * the changes. The outcome is stored with the prediction.
 *
 * @param runs the folder of the runs
 */
export async function findOutcomes(runs: string, measure: MeasureOutcomes): Promise<FoundOutcomes> {
  const {runs: all, damaged} = await predictionsOfRuns(runs);
  const commands = await commandsOf(runs);
  const unreadable = new Set<string>();
  const unopened = new Set<string>();
  let left = mostOpened;
  const open = async (profile: string, waiting: readonly KeptPrediction[]) => {
    if (unreadable.has(profile) || !(await isRegularFile(profile))) return null;
    if (left <= 0) {
      unopened.add(profile);
      return null;
    }
    left--;
    const measured = await measure(profile, waiting);
    if (measured === null) unreadable.add(profile);
    return measured;
  };
  const outcomesOf = async (folder: string, file: string, predictions: readonly KeptPrediction[]) => {
    const found = new Map<KeptPrediction, KeptPrediction>();
    const own = commands.get(folder);
    if (own === undefined) return found;
    const later = [...commands].filter(([name, command]) => name > folder && command === own);
    for (const [run] of later) {
      const waiting = predictions.filter(one => !found.has(one));
      if (waiting.length === 0) break;
      const measured = await open(join(runs, run, file), waiting);
      waiting.forEach((one, at) => {
        const measuredNs = measured?.[at] ?? null;
        if (measuredNs !== null) found.set(one, {...one, outcome: {run, measuredNs}});
      });
    }
    return found;
  };
  const found: AllPredictions['runs'][number][] = [];
  for (const {folder, predictions} of all) {
    const byFile = new Map<string, KeptPrediction[]>();
    for (const one of predictions) {
      if (one.outcome === null && canBeJudged(one)) getOrAdd(byFile, one.file, () => []).push(one);
    }
    const judged = new Map<KeptPrediction, KeptPrediction>();
    for (const [file, waiting] of byFile) {
      for (const [before, after] of await outcomesOf(folder, file, waiting)) judged.set(before, after);
    }
    if (judged.size > 0) await keepOutcomes(join(runs, folder), [...judged.values()]);
    found.push({folder, predictions: predictions.map(one => judged.get(one) ?? one)});
  }
  return {runs: found, damaged, unreadable: [...unreadable], unopened: unopened.size};
}

/** Returns the command and working folder of each run as one text, by the run's folder, in order of time. */
async function commandsOf(runs: string): Promise<Map<string, string>> {
  const names = (await readdir(runs).catch((): string[] => [])).sort();
  const commands = new Map<string, string>();
  for (const name of names) {
    const run = await readRunFile(join(runs, name));
    if (run && run.command.length > 0) commands.set(name, JSON.stringify([run.cwd, run.command]));
  }
  return commands;
}
