import {runnerArguments, type RecordingValues} from '../command/recording-options.js';
import {controlFileIn} from './run-control.js';
import {eventsFileIn} from './run-folder.js';

/** What to record, and of which command. */
export interface RunnerRequest {
  /** The Python that runs the runner: any, it need not have torch. */
  readonly python: string;
  /** The folder of the runner's package. */
  readonly runner: string;
  /** The run's folder, where the runner runs. */
  readonly folder: string;
  /** The process that asks for the run, which ends when this one does; null where the run is to go on alone. */
  readonly parent: number | null;
  /** Paths in the sidecar are relative to this folder. */
  readonly root: string;
  readonly recording: RecordingValues;
  /** Program and arguments. */
  readonly command: readonly string[];
  /** Times each measured step by itself, with the GPU idle where it begins and where it ends. */
  readonly timesSteps: boolean;
  /** What runs in the profiler's place, and records nothing: the clock, or who counts the steps of all loops. */
  readonly instead: 'timer' | 'loops' | null;
}

/** The command that runs another one under the runner: an array of arguments, for no shell to read. */
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
