import {buckets} from '../attribution/site-chains.js';
import {isPyTorchRange} from '../source/pytorch-ranges.js';
import type {Trace} from '../trace/trace.js';
import {rangeRows} from '../figures/range-rows.js';

/** A name of tagged ranges. */
export interface RangeName {
  readonly name: string;
  /** Forward and backward, ns. */
  readonly gpuWorkNs: number;
  readonly cpuWallNs: number;
}

/** Returns the names of the user's ranges, the most GPU work first, without PyTorch's own. */
export function rangeNames(trace: Trace, most = 2000): RangeName[] {
  return rangeRows(trace, 'name')
    .slice(0, -buckets.length)
    .filter(({name}) => !isPyTorchRange(name))
    .slice(0, most)
    .map(({name, gpuWorkNs, backwardGpuWorkNs, cpuWallNs}) => ({
      name,
      gpuWorkNs: gpuWorkNs + backwardGpuWorkNs,
      cpuWallNs,
    }));
}
