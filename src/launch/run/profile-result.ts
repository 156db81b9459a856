import type {OptionSteps} from '../../core/benchmark/option-costs.js';
import type {SeenLoop} from './seen-loop.js';
import type {StepTimes} from './step-times.js';

/** One file that a run recorded. */
export interface RecordedProfile {
  readonly path: string;
  /** From the runner: `steps`, `opening` (no step was found), `capture` (of GPU graphs) or `own` (the script's own profiler); else `nsys`. */
  readonly kind: string;
  /** Number of whole steps in it; 0 if steps were not counted. */
  readonly steps: number;
  /** Rank in a distributed job, null for a single process. */
  readonly rank: number | null;
}

/** A memory snapshot that a run wrote. */
export interface RecordedSnapshot {
  readonly path: string;
  readonly rank: number | null;
  /** Whether it shows the first allocation that ran out of memory. */
  readonly isOutOfMemory: boolean;
}

/** How a run ended. */
export interface ProfileResult {
  /** Everything that was recorded, the one to show first at the front. */
  readonly profiles: readonly RecordedProfile[];
  /** The requested memory snapshots, out-of-memory ones first. */
  readonly snapshots?: readonly RecordedSnapshot[];
  /** The command's exit status, 128 + n if signal n ended it; null if unknown. */
  readonly status: number | null;
  readonly isCancelled: boolean;
  /** Messages that the user must see, one sentence each; none if all went well. */
  readonly sentences: readonly string[];
  /** Additional information about the run: the cost of the profiler, or copies on another machine that were not removed. */
  readonly notes: readonly string[];
  /** The end of the command's output, for the log. */
  readonly tail: readonly string[];
  /** The time of each measured step, if requested and measured. */
  readonly stepTimes?: StepTimes;
  /** Steps with and without options of the profiler, if requested and measured. */
  readonly optionSteps?: OptionSteps;
  /** The loops that were seen, if requested. */
  readonly loops?: readonly SeenLoop[];
  /** A Markdown report of the run. */
  readonly report?: string;
}
