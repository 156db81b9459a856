import {existsSync} from 'node:fs';
import {basename, resolve} from 'node:path';
import type {SelectedRun} from '../core/compare/run-comparison-input.js';
import type {Selection} from '../core/scope/selection.js';
import {pushAll} from '../core/table/extremes.js';
import {isText} from '../core/trace/text-table.js';
import {printedRuns, type PrintedRun} from '../core/compare/printed-runs.js';
import {noRepeats, type Repeats} from '../core/compare/repeated-runs.js';
import {profileOfCommit} from '../launch/history/commit-run.js';
import {repeatedRuns} from '../launch/history/repeated-runs.js';
import {readSidecar} from '../launch/run/sidecar-file.js';
import {UsageError} from './command.js';
import {loadReportDetails} from '../importers/report-details.js';
import {loadProfile} from './load-trace.js';
import {requireOriginOf} from './selection.js';

/** The inputs of a comparison: profiles, or runs in printed texts. */
export type ComparedFiles =
  | {readonly type: 'profiles'; readonly runs: readonly SelectedRun[]}
  | {readonly type: 'printed'; readonly runs: readonly PrintedRun[]};

/**
 * Opens files to compare, two at a time: while a thread scans one, rows of the other are made. A text with tables
 * gives all runs that it contains.
 *
 * @throws TraceError; UsageError
 */
export async function loadCompared(
  files: readonly string[],
  selection: Selection,
  withShapes = false,
): Promise<ComparedFiles> {
  const loaded: (SelectedRun | readonly PrintedRun[])[] = [];
  for (let at = 0; at < files.length; at += 2) {
    const pair = files.slice(at, at + 2).map(file => loadComparedFile(file, selection, withShapes));
    // Waits for both before reporting an error: a reader that still runs would keep the process alive.
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
 * Opens other runs of the same code as each of two files; none for a file of which one step is compared. Unreadable
 * runs are left out. A compared run does not count as a repeat.
 */
export async function loadRepeats(files: readonly [string, string], selection: Selection): Promise<Repeats> {
  if (selection.step !== undefined || files.some(file => comparedFile(file).part !== null)) return noRepeats;
  const paths = [await profileAt(files[0]), await profileAt(files[1])] as const;
  const compared = new Set(paths.map(path => resolve(path)));
  const seen = new Set(compared);
  const [before, after] = [await repeatedRuns(resolve(paths[0])), await repeatedRuns(resolve(paths[1]))];
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
 * Opens a profile to compare; `#step=N` or `#window=FROM:TO` after its name selects a part of it.
 *
 * @throws TraceError; UsageError
 */
async function loadComparedFile(
  argument: string,
  selection: Selection,
  withShapes = false,
): Promise<SelectedRun | readonly PrintedRun[]> {
  const {path: named, part} = comparedFile(argument);
  const path = await profileAt(named);
  const own = part === null ? selection : {...selection, ...part};
  const {trace, path: readable} = await loadProfile(path);
  if (isText(trace)) {
    if (Object.values(own).some(value => value !== undefined)) {
      throw new UsageError(`${path} is a text with tables, of which no part can be selected.`);
    }
    return printedRuns(trace.textTables).map(run => ({...run, name: run.name || basename(path)}));
  }
  requireOriginOf(trace, own);
  const details = withShapes ? await loadReportDetails(readable, trace, new Set(['inputShapes'])) : null;
  return {trace, selection: own, sidecar: await readSidecar(path), shapes: details?.inputShapes ?? null};
}

const commitPrefix = 'commit:';

/**
 * Returns the file that a name refers to: `commit:main` is the latest run of that commit. @throws TraceError
 * `file/missing`
 */
async function profileAt(name: string): Promise<string> {
  if (!name.startsWith(commitPrefix) || existsSync(name)) return name;
  return profileOfCommit(name.slice(commitPrefix.length), process.cwd());
}

/**
 * The parts of `run.json#step=3` or `run.json#window=0:5000000`. If a file has this name, it is that file. @throws
 * UsageError
 */
function comparedFile(argument: string): {path: string; part: Selection | null} {
  const at = argument.lastIndexOf('#');
  if (at < 0 || existsSync(argument)) return {path: argument, part: null};
  const path = argument.slice(0, at);
  const [, step, from, to] = /^(?:step=(\d+)|window=(\d+):(\d+))$/.exec(argument.slice(at + 1)) ?? [];
  if (step !== undefined) return {path, part: {step: Number(step)}};
  if (from !== undefined && Number(from) < Number(to)) return {path, part: {fromNs: Number(from), toNs: Number(to)}};
  throw new UsageError(
    `${argument}: only #step=N, with a whole number, or #window=FROM:TO, in ns, can follow a file's name.`,
  );
}
