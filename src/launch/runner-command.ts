import type {RunFolder} from './run-folder.js';

/** What is recorded: what the processes use, or no GPU activity. */
export const devices = ['auto', 'cpu'] as const;

/** What to record of a script's steps. */
export interface StepOptions {
  readonly warmupSteps: number;
  readonly activeSteps: number;
  /** What a step is: `auto`, `train`, `infer`, `range:NAME`, or `window` for a window of time. */
  readonly step: string;
  readonly device: (typeof devices)[number];
  readonly recordsShapes: boolean;
  readonly recordsStacks: boolean;
  readonly recordsMemory: boolean;
  /** Whether each module call is a range. */
  readonly recordsModules: boolean;
  /** One more step, in a profile of its own, in which every call of torch has its line. */
  readonly recordsCallLines: boolean;
  /** Ends the script when its steps are recorded, with what it would have done after them. */
  readonly stopsWhenRecorded: boolean;
  /** Times each measured step by itself, with the GPU idle where it begins and where it ends. */
  readonly timesSteps: boolean;
}

/** What to record, and of which command. */
export interface RunnerRequest extends StepOptions {
  /** The Python that runs the runner: any, it need not have torch. */
  readonly python: string;
  /** The folder of the runner's package. */
  readonly runner: string;
  readonly folder: RunFolder;
  /** The process that asks for the run, which ends when this one does. */
  readonly parent: number;
  /** Paths in the sidecar are relative to this folder. */
  readonly root: string;
  /** Program and arguments. */
  readonly command: readonly string[];
  /** Whether nothing is recorded, and the clock alone runs. */
  readonly isTimer: boolean;
}

/** The command that runs another one under the runner: an array of arguments, for no shell to read. */
export function runnerCommand(request: RunnerRequest): {readonly program: string; readonly args: readonly string[]} {
  const {python, runner, folder, root, command, parent} = request;
  const options = [
    ['--out', folder.path],
    ['--events', folder.eventsFile],
    ['--root', root],
    ['--parent', String(parent)],
    ['--warmup', String(request.warmupSteps)],
    ['--active', String(request.activeSteps)],
    request.step === 'auto' ? [] : ['--step', request.step],
    request.device === 'auto' ? [] : ['--device', request.device],
    request.recordsShapes ? [] : ['--no-shapes'],
    request.recordsStacks ? ['--stack'] : [],
    request.recordsMemory ? ['--memory'] : [],
    request.recordsModules ? [] : ['--no-modules'],
    request.recordsCallLines ? ['--lines'] : [],
    request.stopsWhenRecorded ? ['--after', 'stop'] : [],
    request.isTimer ? ['--profiler', 'timer'] : [],
    request.timesSteps ? ['--times'] : [],
  ];
  return {program: python, args: [runner, ...options.flat(), '--', ...command]};
}
