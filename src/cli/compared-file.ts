import {existsSync} from 'node:fs';
import {basename, resolve} from 'node:path';
import type {SelectedRun} from '../core/compare/run-comparison-input.js';
import type {Selection} from '../core/scope/selection.js';
import {pushAll} from '../core/table/extremes.js';
import {isText} from '../core/trace/text-table.js';
import {printedRuns, type PrintedRun} from '../core/compare/printed-runs.js';
import {noRepeats, type Repeats} from '../core/compare/repeated-runs.js';
import {repeatedRuns} from '../launch/history/repeated-runs.js';
import {readSidecar} from '../launch/run/sidecar-file.js';
import {UsageError} from './command.js';
import {loadTrace} from './load-trace.js';
import {requireGpuOf} from './selection.js';

/** What is compared: profiles, or runs that were printed into texts. */
export type ComparedFiles =
  | {readonly type: 'profiles'; readonly runs: readonly SelectedRun[]}
  | {readonly type: 'printed'; readonly runs: readonly PrintedRun[]};

/**
 * Opens files to compare, two at a time: while a thread scans one, rows of the other are made. A text with tables stands
 * for all runs that it tells of.
 *
 * @throws TraceError; UsageError
 */
export async function loadCompared(files: readonly string[], selection: Selection): Promise<ComparedFiles> {
  const loaded: (SelectedRun | readonly PrintedRun[])[] = [];
  for (let at = 0; at < files.length; at += 2) {
    const pair = files.slice(at, at + 2).map(file => loadComparedFile(file, selection));
    // Both end before the first failure is told: a reader that is left behind would keep the process.
    await Promise.allSettled(pair);
    pushAll(loaded, await Promise.all(pair));
  }
  const runs = loaded.filter(isProfile);
  if (runs.length === loaded.length) return {type: 'profiles', runs};
  if (runs.length > 0) throw new UsageError('A text with tables is compared with other texts, not with profiles.');
  return {type: 'printed', runs: loaded.flatMap(one => (isProfile(one) ? [] : one))};
}

function isProfile(one: SelectedRun | readonly PrintedRun[]): one is SelectedRun {
  return 'trace' in one;
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
      const run = await loadComparedFile(path, selection).catch(() => null);
      if (run && isProfile(run)) runs.push(run);
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
async function loadComparedFile(argument: string, selection: Selection): Promise<SelectedRun | readonly PrintedRun[]> {
  const {path, step} = comparedFile(argument);
  const own = step === null ? selection : {...selection, step};
  const trace = await loadTrace(path);
  if (isText(trace)) {
    if (Object.values(own).some(value => value !== undefined)) {
      throw new UsageError(`${path} is a text with tables, of which no part can be selected.`);
    }
    return printedRuns(trace.textTables).map(run => ({...run, name: run.name || basename(path)}));
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
