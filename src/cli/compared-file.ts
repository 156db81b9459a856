import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import type {SelectedRun} from '../core/compare/run-comparison-input.js';
import type {Selection} from '../core/scope/selection.js';
import {pushAll} from '../core/table/extremes.js';
import {isText} from '../core/trace/text-table.js';
import {noRepeats, type Repeats} from '../core/compare/repeated-runs.js';
import {repeatedRuns} from '../launch/history/repeated-runs.js';
import {readSidecar} from '../launch/run/sidecar-file.js';
import {UsageError} from './command.js';
import {loadTrace} from './load-trace.js';
import {requireGpuOf} from './selection.js';

/**
 * Opens profiles to compare, two at a time: while a thread scans one, rows of the other are made.
 *
 * @throws TraceError; UsageError
 */
export async function loadComparedRuns(files: readonly string[], selection: Selection): Promise<SelectedRun[]> {
  const runs: SelectedRun[] = [];
  for (let at = 0; at < files.length; at += 2) {
    const pair = files.slice(at, at + 2).map(file => loadComparedRun(file, selection));
    // Both end before the first failure is told: a reader that is left behind would keep the process.
    await Promise.allSettled(pair);
    pushAll(runs, await Promise.all(pair));
  }
  return runs;
}

/**
 * Opens other runs of the same code as each of two files; none for a file of which one step is compared. What cannot be
 * read tells nothing of noise, and is left out. A run that is compared is no repeat.
 */
export async function loadRepeats(files: readonly [string, string], selection: Selection): Promise<Repeats> {
  if (selection.step !== undefined || files.some(file => comparedFile(file).step !== null)) return noRepeats;
  const compared = new Set(files.map(file => resolve(file)));
  const seen = new Set(compared);
  const [before, after] = [await repeatedRuns(resolve(files[0])), await repeatedRuns(resolve(files[1]))];
  const load = async (paths: readonly string[]): Promise<SelectedRun[]> => {
    const runs: SelectedRun[] = [];
    for (const path of paths) {
      if (seen.has(path)) continue;
      seen.add(path);
      const run = await loadComparedRun(path, selection).catch(() => null);
      if (run) runs.push(run);
    }
    return runs;
  };
  return {before: await load(before), after: await load(after)};
}

/**
 * Opens a profile to compare; `#step=N` behind its name selects one of its steps.
 *
 * @throws TraceError; UsageError
 */
async function loadComparedRun(argument: string, selection: Selection): Promise<SelectedRun> {
  const {path, step} = comparedFile(argument);
  const own = step === null ? selection : {...selection, step};
  const trace = await loadTrace(path);
  if (isText(trace)) {
    throw new UsageError(`${path} is a text with tables; compare needs profiles.`);
  }
  requireGpuOf(trace, own);
  return {trace, selection: own, sidecar: await readSidecar(path)};
}

/** The parts of `run.json#step=3`. A file whose own name ends so is that file. @throws UsageError */
function comparedFile(argument: string): {path: string; step: number | null} {
  const at = argument.lastIndexOf('#');
  if (at < 0 || existsSync(argument)) return {path: argument, step: null};
  const step = /^step=(\d+)$/.exec(argument.slice(at + 1));
  if (!step) {
    throw new UsageError(`${argument}: only #step=N, with a whole number, can follow a file's name.`);
  }
  return {path: argument.slice(0, at), step: Number(step[1])};
}
