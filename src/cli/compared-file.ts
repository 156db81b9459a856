import {existsSync} from 'node:fs';
import type {SelectedRun} from '../core/compare/run-comparison.js';
import type {Selection} from '../core/queries/selection.js';
import {readSidecar} from '../launch/sidecar-file.js';
import {UsageError} from './command.js';
import {loadTrace} from './load-trace.js';
import {requireGpuOf} from './selection.js';

/**
 * Opens a profile to compare; `#step=N` behind its name selects one of its steps.
 *
 * @throws TraceError; UsageError
 */
export async function loadComparedRun(argument: string, selection: Selection): Promise<SelectedRun> {
  const {path, step} = comparedFile(argument);
  const own = step === null ? selection : {...selection, step};
  const trace = await loadTrace(path);
  if (trace.meta.format === 'text') {
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
