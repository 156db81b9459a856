import type {LaunchTemplate} from './launch-template.js';
import type {RecordingValues} from './recording-options.js';

/** The tool that records: the PyTorch profiler through the runner, or Nsight Systems around the command. */
export const profilers = ['pytorch', 'nsys'] as const;
export type Profiler = (typeof profilers)[number];

/** The tool that observes a run's steps: a profiler, or only the clock. */
type StepWatcher = Profiler | 'timer' | 'loops';

/** What to run and how to record it, complete: nothing is looked up later. */
export interface ProfileRequest {
  readonly profiler: StepWatcher;
  /** The name in messages: the script's name. */
  readonly name: string;
  /** Program and arguments; no shell reads them. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Paths in sidecars are relative to this folder. */
  readonly root: string;
  /** The folder in which runs are saved. */
  readonly output: string;
  readonly recording: RecordingValues;
  /** Times each measured step by itself, with the GPU idle where it begins and where it ends. */
  readonly timesSteps: boolean;
  /** Under nsys: how often to run the command without nsys first, to measure its overhead; 0 for never. */
  readonly timedRuns: number;
  /** An id shared by the runs of one command line, so that they count as repeats; absent for a single run. */
  readonly batch?: string;
  /** The run's label in the list of runs. */
  readonly label?: string;
  /** Under nsys: what is captured. @see capturePattern */
  readonly capture: string;
  /** Additional options for `nsys profile`. */
  readonly nsysOptions: readonly string[];
  /** How the command is run elsewhere; null to run it here. */
  readonly launchTemplate: LaunchTemplate | null;
}
