import {kindIndex, kindMask, type SliceKindSet} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import type {Enclosing} from './enclosing.js';

/** The slices of a trace that act as ranges, in the order of the slices table. */
export interface Ranges {
  /** Range → row of the slices table, ascending. */
  readonly slice: Int32Array;
  /** Range → the innermost range around it on its thread, -1 for none. Start/end ranges have none and are none. */
  readonly parent: Int32Array;
  /** Slice rows of those ranges that make a thread's stack, ascending: all but NVTX start/end ranges. */
  readonly stacked: Int32Array;
  /** Row of the slices table → range, -1 for slices that are no ranges. */
  readonly indexOfSlice: Int32Array;
}

/** The ranges of `kinds`, with their parents: the least slack decides, and of equal intervals the earlier row is outer. */
export function collectRanges(trace: Trace, kinds: SliceKindSet): Ranges {
  const {slices} = trace;
  const wanted = kindMask(kinds);
  const indexOfSlice = new Int32Array(slices.length).fill(-1);
  let count = 0;
  for (let row = 0; row < slices.length; row++) if (wanted[slices.kind[row]] === 1) indexOfSlice[row] = count++;
  const slice = new Int32Array(count);
  for (let row = 0; row < slices.length; row++) if (indexOfSlice[row] >= 0) slice[indexOfSlice[row]] = row;
  const stacked = slice.filter(row => slices.kind[row] !== kindIndex.nvtx_startend);
  return {slice, parent: findParents(trace, stacked, indexOfSlice, count), stacked, indexOfSlice};
}

/** Replaces slice rows by indices of ranges. */
export function asRanges({indexOfSlice}: Ranges, found: Enclosing): Enclosing {
  return {offsets: found.offsets, containers: found.containers.map(row => indexOfSlice[row])};
}

function findParents({slices}: Trace, stacked: Int32Array, indexOfSlice: Int32Array, rangeCount: number): Int32Array {
  const {startNs, durationNs, track} = slices;
  const parent = new Int32Array(rangeCount).fill(-1);
  const open: number[] = [];
  let openTrack = -1;
  for (const row of stacked) {
    if (track[row] !== openTrack) open.length = 0;
    openTrack = track[row];
    while (open.length > 0 && endOf(open[open.length - 1]) < startNs[row]) open.pop();
    let best = -1;
    for (const candidate of open) {
      if (endOf(candidate) < startNs[row] + durationNs[row]) continue;
      if (best < 0 || durationNs[candidate] <= durationNs[best]) best = candidate;
    }
    parent[indexOfSlice[row]] = best < 0 ? -1 : indexOfSlice[best];
    open.push(row);
  }
  return parent;

  function endOf(row: number): number {
    return startNs[row] + durationNs[row];
  }
}
