import type {RunFolder} from './run-folder.js';

/** What to record, and of which command. */
export interface RunRequest {
  readonly python: string;
  /** The folder of the runner's package. */
  readonly runner: string;
  readonly folder: RunFolder;
  /** Paths in the sidecar are relative to this folder. */
  readonly root: string;
  readonly script: string;
  readonly scriptArguments: readonly string[];
  readonly warmupSteps: number;
  readonly activeSteps: number;
  readonly recordsShapes: boolean;
  readonly recordsStacks: boolean;
  readonly recordsMemory: boolean;
}

/** The command that runs a script under the runner: an array of arguments, for no shell to read. */
export function runnerCommand(request: RunRequest): {readonly program: string; readonly args: readonly string[]} {
  const {python, runner, folder, root, script, scriptArguments} = request;
  const options = [
    ['--out', folder.path],
    ['--events', folder.eventsFile],
    ['--root', root],
    ['--warmup', String(request.warmupSteps)],
    ['--active', String(request.activeSteps)],
    request.recordsShapes ? [] : ['--no-shapes'],
    request.recordsStacks ? ['--stack'] : [],
    request.recordsMemory ? ['--memory'] : [],
  ];
  return {program: python, args: [runner, ...options.flat(), '--', python, script, ...scriptArguments]};
}
