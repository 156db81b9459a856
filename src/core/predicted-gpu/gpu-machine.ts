import type {TraceNote} from '../trace/trace.js';
import type {PredictedClass} from './work-class.js';

/** What a call that launches a kernel takes, and how long after it an idle GPU begins, ns: about the median of public profiles. */
export const launchCallNs = 5000;
export const launchDelayNs = 2000;

/** So many launches may be outstanding; then a launching call waits. CUDA's queue holds about as many. */
export const mostOutstanding = 1024;

/** How a recording of the CPU becomes that of a program on a GPU. */
export interface GpuMachine {
  /** What its GPU is called. */
  readonly device: string;
  /** What an operator takes of its thread in place of its own work, the launching call included, ns. */
  readonly operatorNs: number;
  /** Factor on what the kernels of a class take. */
  readonly slownessOf: (kind: PredictedClass) => number;
  readonly notes: readonly TraceNote[];
}
