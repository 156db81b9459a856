import type {LaunchTemplate} from './launch-template.js';
import type {RecordingValues} from './recording-options.js';

/** What records: the PyTorch profiler through the runner, or Nsight Systems around the command. */
export const profilers = ['pytorch', 'nsys'] as const;
export type Profiler = (typeof profilers)[number];

/** What watches the steps of a run: a profiler, or the clock alone. */
type StepWatcher = Profiler | 'timer' | 'loops';

/** What to run and how to record it, complete: nothing is looked up any more. */
export interface ProfileRequest {
  readonly profiler: StepWatcher;
  /** What people call it in messages: the script's name. */
  readonly name: string;
  /** Program and arguments, for no shell to read. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Paths in sidecars are relative to this folder. */
  readonly root: string;
  /** Where runs are kept. */
  readonly output: string;
  readonly recording: RecordingValues;
  /** Times each measured step by itself, with the GPU idle where it begins and where it ends. */
  readonly timesSteps: boolean;
  /** Under nsys: how often to run the command without it before, to tell what it costs; 0 for not at all. */
  readonly timedRuns: number;
  /** What runs of one command line have in common, so that they count as repeats; absent for a run of its own. */
  readonly batch?: string;
  /** What the run is told by in the list of runs. */
  readonly label?: string;
  /** Under nsys: what is captured. @see capturePattern */
  readonly capture: string;
  /** Options for `nsys profile` besides ours. */
  readonly nsysOptions: readonly string[];
  /** How the command is run at another place; null for this one. */
  readonly launchTemplate: LaunchTemplate | null;
}
