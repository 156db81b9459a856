import {rowsIn} from '../table/search.js';
import type {Trace} from '../trace/trace.js';
import type {Attribution} from './attribute.js';
import {projectionsOfRanges, projectStacks, type Projections} from './project-ranges.js';

/** Sums by call path over its ranges in the whole trace, as in `RangeTotals`. */
export interface PathSpans {
  readonly countWithWork: Float64Array;
  readonly gpuSpanNs: Float64Array;
  readonly gpuTailNs: Float64Array;
  readonly assumed: Float64Array;
}

/** Returns the spans of the GPU work of each path's ranges, and the number of ranges that something was assumed of. */
export function spansOfPaths(trace: Trace, attribution: Attribution, ofRange: Uint16Array, paths: number): PathSpans {
  const {slice} = attribution.ranges;
  const spans = {
    countWithWork: new Float64Array(paths),
    gpuSpanNs: new Float64Array(paths),
    gpuTailNs: new Float64Array(paths),
    assumed: new Float64Array(paths),
  };
  const {fromNs, toNs, rangeOf} = projections(trace, attribution);
  const {startNs, durationNs} = trace.slices;
  for (let at = 0; at < fromNs.length; at++) {
    if (!(toNs[at] >= fromNs[at])) continue;
    const range = rangeOf === null ? at : rangeOf[at];
    const path = ofRange[range];
    const tailNs = toNs[at] - (startNs[slice[range]] + durationNs[slice[range]]);
    spans.countWithWork[path]++;
    spans.gpuSpanNs[path] += toNs[at] - fromNs[at];
    if (tailNs > 0) spans.gpuTailNs[path] += tailNs;
  }
  addAssumed(trace, slice, ofRange, spans.assumed);
  return spans;
}

/**
 * Returns the projections by stack, and the range of each stack; by range, with `rangeOf` null, if a range is on several
 * stacks.
 */
function projections(trace: Trace, attribution: Attribution): Projections & {readonly rangeOf: Int32Array | null} {
  const {range} = attribution.stacks;
  const ofStack = projectStacks(trace, attribution);
  // Where ranges nest, stacks are in the order of their ranges, each on top of one.
  let last = -1;
  for (let node = 0; node < range.length; node++) {
    if (!(ofStack.toNs[node] >= ofStack.fromNs[node])) continue;
    if (range[node] <= last) return {...projectionsOfRanges(attribution, ofStack), rangeOf: null};
    last = range[node];
  }
  return {...ofStack, rangeOf: range};
}

function addAssumed({assumed}: Trace, slice: Int32Array, ofRange: Uint16Array, counts: Float64Array): void {
  if (assumed.length === 0) return;
  const isAssumed = rowsIn(assumed);
  for (let range = 0; range < slice.length; range++) if (isAssumed(slice[range])) counts[ofRange[range]]++;
}
