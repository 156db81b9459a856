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
export function projectRanges(trace: Trace, attribution: Attribution, chosen: Chosen = everything): Projections {
  return projectionsOfRanges(attribution, projectStacks(trace, attribution, chosen));
}

/** Does the same for each stack of ranges. */
export function projectStacks(
  {slices, gpuOperations}: Trace,
  {sites, stacks, own, overlay}: Attribution,
  chosen: Chosen = everything,
): Projections {
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
  // Parents precede children: going backwards, each stack has collected all stacks on top of it before it is handed
  // down.
  for (let node = stacks.length - 1; node >= 0; node--) {
    if (ofStack.toNs[node] < ofStack.fromNs[node]) continue;
    widen(ofStack, stacks.parent[node], ofStack.fromNs[node], ofStack.toNs[node]);
  }
  return ofStack;
}

/** Returns the projections of ranges, given those of their stacks: a range may be on several. */
export function projectionsOfRanges({ranges, stacks}: Attribution, {fromNs, toNs}: Projections): Projections {
  const ofRange = projectionsOf(ranges.slice.length);
  for (let node = 0; node < stacks.length; node++) {
    if (toNs[node] >= fromNs[node]) widen(ofRange, stacks.range[node], fromNs[node], toNs[node]);
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
