import type {Trace} from '../trace/trace.js';
import type {Attribution} from './attribute.js';
import {everything, operationsNearChosen, type Chosen} from './chosen.js';

/** Range → first start and last end of GPU operations, ns; `toNs` is below `fromNs` if there are none. */
export interface Projections {
  readonly fromNs: Float64Array;
  readonly toNs: Float64Array;
}

/**
 * Returns, for each range, the first start and last end of the operations launched inside it on its own thread
 * (start/end ranges: in its process), as Nsight's projection does.
 *
 * @see docs/metrics.md#gpu-span
 */
export function projectRanges(
  {slices, gpuOperations}: Trace,
  attribution: Attribution,
  chosen: Chosen = everything,
): Projections {
  const {sites, stacks, own, overlay, ranges} = attribution;
  const {operations} = chosen;
  const {first, end} = operationsNearChosen(chosen, {gpuOperations});
  const ofStack = projectionsOf(stacks.length);
  for (let operation = first; operation < end; operation++) {
    const site = sites.siteOf[operation];
    if (site < 0 || (operations !== null && operations[operation] === 0)) continue;
    const slice = gpuOperations.slice[operation];
    const startNs = slices.startNs[slice];
    const endNs = startNs + slices.durationNs[slice];
    widen(ofStack, own[site], startNs, endNs);
    widen(ofStack, overlay[site], startNs, endNs);
  }
  const ofRange = projectionsOf(ranges.slice.length);
  // Parents precede children: going backwards, each stack has collected all stacks on top of it before it is handed
  // down.
  for (let node = stacks.length - 1; node >= 0; node--) {
    if (ofStack.toNs[node] < ofStack.fromNs[node]) continue;
    widen(ofStack, stacks.parent[node], ofStack.fromNs[node], ofStack.toNs[node]);
    widen(ofRange, stacks.range[node], ofStack.fromNs[node], ofStack.toNs[node]);
  }
  return ofRange;
}

function projectionsOf(length: number): Projections {
  return {fromNs: new Float64Array(length).fill(Infinity), toNs: new Float64Array(length).fill(-Infinity)};
}

function widen({fromNs, toNs}: Projections, at: number, startNs: number, endNs: number): void {
  if (at < 0) return;
  if (startNs < fromNs[at]) fromNs[at] = startNs;
  if (endNs > toNs[at]) toNs[at] = endNs;
}
