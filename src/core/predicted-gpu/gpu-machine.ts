import type {TraceNote} from '../trace/trace.js';
import type {PredictedClass} from './work-class.js';

/**
 * The time of a call that launches a kernel, and the delay after it until an idle GPU begins, ns: about the median of
 * public profiles.
 */
export const launchCallNs = 5000;
export const launchDelayNs = 2000;

/** The number of outstanding launches above which a launching call waits. CUDA's queue holds about as many. */
export const mostOutstanding = 1024;

/** How a CPU recording is turned into one of a program on a GPU. */
export interface GpuMachine {
  /** The name of its GPU. */
  readonly device: string;
  /** The time of an operator on its thread in place of its own work, including the launching call, ns. */
  readonly operatorNs: number;
  /** Returns a factor on the time of a class's kernels. */
  readonly slownessOf: (kind: PredictedClass) => number;
  readonly notes: readonly TraceNote[];
}
