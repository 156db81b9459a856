import type {OptionSteps} from '../../core/benchmark/option-costs.js';
import type {SeenLoop} from './seen-loop.js';
import type {StepTimes} from './step-times.js';

/** One file that a run recorded. */
export interface RecordedProfile {
  readonly path: string;
  /** `steps`, `opening` (no step was found) or `own` (the script's own profiler) of the runner; `nsys`. */
  readonly kind: string;
  /** Whole steps in it; 0 where steps were not counted. */
  readonly steps: number;
  /** Rank in a distributed job, null for a process of its own. */
  readonly rank: number | null;
}

/** A memory snapshot that a run wrote. */
export interface RecordedSnapshot {
  readonly path: string;
  readonly rank: number | null;
  /** Whether it shows the first allocation that found no memory. */
  readonly isOutOfMemory: boolean;
}

/** How a run ended. */
export interface ProfileResult {
  /** Everything that was recorded, the one to show first. */
  readonly profiles: readonly RecordedProfile[];
  /** Memory snapshots that were asked for, those of a lack of memory first. */
  readonly snapshots?: readonly RecordedSnapshot[];
  /** The command's exit status, 128 + n where signal n ended it; null where it is not known. */
  readonly status: number | null;
  readonly isCancelled: boolean;
  /** What a person must be told, one sentence each; none where all went well. */
  readonly sentences: readonly string[];
  /** What is good to know of the run: what the profiler cost. */
  readonly notes: readonly string[];
  /** The end of the command's output, for the log. */
  readonly tail: readonly string[];
  /** What each measured step took, where that was asked for and steps were measured. */
  readonly stepTimes?: StepTimes;
  /** Steps with options of the profiler and without, where that was asked for and measured. */
  readonly optionSteps?: OptionSteps;
  /** The loops that were seen, where these were asked for. */
  readonly loops?: readonly SeenLoop[];
  /** A page for people that was made of the run, as Markdown. */
  readonly report?: string;
}
