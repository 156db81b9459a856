import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {KeptPrediction} from '../../core/what-if/record/track-record.js';
import {predictionsOfRuns, writePredictions, type RunPredictions} from './kept-predictions.js';
import {readRunFile} from './run-file.js';

/** Returns what a profile took if it has the changes of a prediction; null if it does not, or nobody can tell. */
export type MeasureOutcome = (profile: string, prediction: KeptPrediction) => Promise<number | null>;

/** So many profiles are opened for the outcomes of one call. */
const mostOpened = 60;

/**
 * Looks for the outcomes that are not known yet: the first later run of the same command in the same folder that has the
 * changes. What is found is kept with the prediction.
 *
 * @param runs the folder of the runs
 */
export async function findOutcomes(runs: string, measure: MeasureOutcome): Promise<RunPredictions[]> {
  const all = await predictionsOfRuns(runs);
  const commands = await commandsOf(runs);
  let left = mostOpened;
  const outcomeOf = async (folder: string, prediction: KeptPrediction) => {
    const own = commands.get(folder);
    if (own === undefined) return null;
    const later = [...commands].filter(([name, command]) => name > folder && command === own);
    for (const [run] of later) {
      const profile = join(runs, run, prediction.file);
      if (left <= 0 || !(await isFile(profile))) continue;
      left--;
      const measuredNs = await measure(profile, prediction);
      if (measuredNs !== null) return {run, measuredNs};
    }
    return null;
  };
  const found: RunPredictions[] = [];
  for (const {folder, predictions} of all) {
    const judged: KeptPrediction[] = [];
    for (const one of predictions) judged.push({...one, outcome: one.outcome ?? (await outcomeOf(folder, one))});
    const isKnown = predictions.map(({outcome}) => outcome !== null);
    if (judged.some(({outcome}, at) => outcome !== null && isKnown[at] !== true)) {
      await writePredictions(join(runs, folder), judged);
    }
    found.push({folder, predictions: judged});
  }
  return found;
}

/** Folder of a run → its command and where it ran, as one text; in order of time, as folders are named. */
async function commandsOf(runs: string): Promise<Map<string, string>> {
  const names = (await readdir(runs).catch((): string[] => [])).sort();
  const commands = new Map<string, string>();
  for (const name of names) {
    const run = await readRunFile(join(runs, name));
    if (run && run.command.length > 0) commands.set(name, JSON.stringify([run.cwd, run.command]));
  }
  return commands;
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isFile(),
    () => false,
  );
}
