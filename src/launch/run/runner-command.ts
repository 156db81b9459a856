import {runnerArguments, type RecordingValues} from '../command/recording-options.js';
import {controlFileIn} from './run-control.js';
import {eventsFileIn} from './run-folder.js';

/** What to record, and the command to run. */
export interface RunnerRequest {
  /** The Python that runs the runner; it need not have torch. */
  readonly python: string;
  /** The folder of the runner's package. */
  readonly runner: string;
  /** The run's folder, which is the runner's working folder. */
  readonly folder: string;
  /** The process that requests the run, which ends when that process does; null if the run continues without it. */
  readonly parent: number | null;
  /** Paths in the sidecar are relative to this folder. */
  readonly root: string;
  readonly recording: RecordingValues;
  /** Program and arguments. */
  readonly command: readonly string[];
  /** Times each measured step by itself; the GPU is idle at its beginning and end. */
  readonly timesSteps: boolean;
  /** What runs in place of the profiler and records nothing: the clock, or a counter of the steps of all loops. */
  readonly instead: 'timer' | 'loops' | null;
}

/** Returns the command that runs another one under the runner: arguments that no shell reads. */
export function runnerCommand(request: RunnerRequest): {readonly program: string; readonly args: readonly string[]} {
  const {python, runner, folder, parent, root, recording, timesSteps, instead, command} = request;
  const options = [
    ['--out', folder],
    ['--events', eventsFileIn(folder)],
    ['--control', controlFileIn(folder)],
    ['--root', root],
    parent === null ? [] : ['--parent', String(parent)],
    instead === null ? [] : ['--profiler', instead, '--no-modules', '--no-sites'],
    timesSteps ? ['--times'] : [],
  ];
  return {program: python, args: [runner, ...options.flat(), ...runnerArguments(recording), '--', ...command]};
}
