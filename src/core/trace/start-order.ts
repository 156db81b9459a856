import {firstWhere} from '../table/search.js';
import {derived, derivedKey} from './derived.js';
import type {Trace} from './trace.js';

/** A part of a list, `end` exclusive. */
export interface Part {
  readonly first: number;
  readonly end: number;
}

/** The latest end is stored for groups of this many slices, which costs a byte for every 32 of them. */
const groupSize = 256;

/** Slices sorted by start within each part of their list, and the running latest end by group within a part. */
interface StartOrder {
  readonly firsts: Int32Array;
  /** Part → its first group. */
  readonly firstGroups: Int32Array;
  /** Group → the latest end of it and of the groups before it in its part: ascending within a part. */
  readonly latestEndNs: Float64Array;
}

const operationsKey = derivedKey<StartOrder>('GPU operations by start');
const callsKey = derivedKey<StartOrder>('API calls by start');

/**
 * Returns the span of GPU operations that may overlap a window: none outside the span does, some inside may not. Costs
 * a binary search, whatever the size of the trace.
 */
export function operationsNear(trace: Trace, fromNs: number, toNs: number): Part {
  const {slice} = trace.gpuOperations;
  const order = derived(trace, operationsKey, () => startOrder(trace, slice, [0]));
  return partNear(trace, slice, order, 0, fromNs, toNs);
}

/** Does the same for API calls: a part for each thread that has some. */
export function callsNear(trace: Trace, fromNs: number, toNs: number): Part[] {
  const {slice} = trace.apiCalls;
  const order = derived(trace, callsKey, () => startOrder(trace, slice, firstsByTrack(trace, slice)));
  return Array.from({length: order.firsts.length - 1}, (_, part) =>
    partNear(trace, slice, order, part, fromNs, toNs),
  ).filter(({first, end}) => first < end);
}

function firstsByTrack({slices: {track}}: Trace, rows: Int32Array): number[] {
  const firsts: number[] = [];
  for (let at = 0; at < rows.length;) {
    const own = track[rows[at]];
    firsts.push(at);
    at = firstWhere(at, rows.length, other => track[rows[other]] > own);
  }
  return firsts;
}

/** @param rows of the slices table, in each part by start */
function startOrder({slices}: Trace, rows: Int32Array, parts: readonly number[]): StartOrder {
  const {startNs, durationNs} = slices;
  const firsts = Int32Array.from([...parts, rows.length]);
  const firstGroups = new Int32Array(firsts.length);
  for (let part = 0; part < parts.length; part++) {
    firstGroups[part + 1] = firstGroups[part] + Math.ceil((firsts[part + 1] - firsts[part]) / groupSize);
  }
  const latestEndNs = new Float64Array(firstGroups[parts.length]);
  for (let part = 0; part < parts.length; part++) {
    let latestNs = -Infinity;
    for (let at = firsts[part], group = firstGroups[part]; at < firsts[part + 1]; group++) {
      const end = Math.min(firsts[part + 1], at + groupSize);
      for (; at < end; at++) latestNs = Math.max(latestNs, startNs[rows[at]] + durationNs[rows[at]]);
      latestEndNs[group] = latestNs;
    }
  }
  return {firsts, firstGroups, latestEndNs};
}

function partNear(
  {slices: {startNs}}: Trace,
  rows: Int32Array,
  {firsts, firstGroups, latestEndNs}: StartOrder,
  part: number,
  fromNs: number,
  toNs: number,
): Part {
  const {[part]: first, [part + 1]: end} = firsts;
  const {[part]: firstGroup, [part + 1]: endGroup} = firstGroups;
  // A slice that ends where the window begins is outside, unless it has no duration.
  const group = firstWhere(firstGroup, endGroup, at => latestEndNs[at] >= fromNs);
  const near = Math.min(end, first + (group - firstGroup) * groupSize);
  return {first: near, end: firstWhere(near, end, at => startNs[rows[at]] >= toNs)};
}
