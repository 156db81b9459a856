import {displayName} from '../names/slice-name.js';
import {shortKernelName} from '../names/short-kernel-name.js';
import {laneCountOf} from '../layout/lane-sections.js';
import {trackSource, type TrackSource} from '../layout/track-source.js';
import {sliceKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/** Slices that a timeline draws as one block, as in `visibleSlices`: the first slice and the number of slices. */
export interface MergedPlace {
  readonly track: number;
  readonly lane: number;
  readonly slice: number;
  readonly count: number;
}

/** The contents of a block of several slices. */
export interface MergedSlices {
  readonly count: number;
  /** The sum of their durations in ns. */
  readonly totalNs: number;
  /** The names with the most time, three at most, the longest first. Kernels have their short names. */
  readonly largest: readonly {readonly name: string; readonly count: number; readonly totalNs: number}[];
  readonly names: number;
}

const mostTold = 3;
const kernelKind = sliceKinds.indexOf('kernel');

/** Returns the contents of a block of several slices; null if the trace has no such place. */
export function mergedSlices(trace: Trace, {track, lane, slice, count}: MergedPlace): MergedSlices | null {
  const source = trackSource(trace, track);
  if (!source || ![lane, slice, count].every(Number.isInteger) || lane < 0 || count < 1) return null;
  const {index, slices} = source;
  const place = placeOf(source, lane, slice);
  if (place < 0 || place + count > index.lane(source.own, lane).end) return null;
  const sums = new Map<number, {count: number; totalNs: number}>();
  let totalNs = 0;
  for (let at = place; at < place + count; at++) {
    const row = index.order[at];
    // Kernels have short names, unlike other slices, so both are told apart.
    const key = slices.name[row] * 2 + Number(slices.kind[row] === kernelKind);
    let sum = sums.get(key);
    if (!sum) sums.set(key, (sum = {count: 0, totalNs: 0}));
    sum.count++;
    sum.totalNs += slices.durationNs[row];
    totalNs += slices.durationNs[row];
  }
  const largest = [...sums].sort(([, a], [, b]) => b.totalNs - a.totalNs).slice(0, mostTold);
  return {count, totalNs, names: sums.size, largest: largest.map(([key, sum]) => ({name: nameOf(trace, key), ...sum}))};
}

/** Returns the position of a slice in its lane; -1 if it is not there. */
function placeOf({index, own, sliceOf}: TrackSource, lane: number, slice: number): number {
  if (lane >= laneCountOf(index.sections[own])) return -1;
  const {first, end} = index.lane(own, lane);
  const inLane = index.order.subarray(first, end);
  const at = sliceOf === null ? inLane.indexOf(slice) : inLane.findIndex(row => sliceOf[row] === slice);
  return at < 0 ? -1 : first + at;
}

function nameOf({strings}: Trace, key: number): string {
  const name = displayName(strings.get(Math.floor(key / 2)));
  return key % 2 === 1 ? shortKernelName(name) : name;
}
