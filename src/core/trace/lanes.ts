import type {Intervals} from '../stats/intervals.js';
import type {Trace} from './trace.js';

/** Python nests a thousand deep at most. What is deeper shares the last lane: a search through more would take forever. */
const laneLimit = 2048;

/**
 * Writes the lane of rows `first` to `end` (exclusive) of one track into `lane`; returns how many lanes it took.
 *
 * Rows are sorted by start, longer first. A slice lies below every open slice that contains it, on the first lane
 * from there on that is free, so slices of one lane never overlap. Overlap without nesting (kernels on one stream,
 * annotations that straddle a Python frame) takes a second lane and gives it back:
 *
 *     lane 0  AAAAAAAAAA    CCCCCCC
 *     lane 1      aaaa   BBBBBB
 */
export function assignLanes(rows: Intervals, lane: Uint16Array, first: number, end: number): number {
  const {startNs, durationNs} = rows;
  const laneEndNs: number[] = [];
  let openLanes = 0;
  let laneCount = 0;
  for (let i = first; i < end; i++) {
    const sliceStartNs = startNs[i];
    const sliceEndNs = sliceStartNs + durationNs[i];
    while (openLanes > 0 && laneEndNs[openLanes - 1] <= sliceStartNs) openLanes--;
    let at = openLanes;
    while (at > 0 && laneEndNs[at - 1] < sliceEndNs) at--;
    while (at < openLanes && laneEndNs[at] > sliceStartNs) at++;
    if (at >= laneLimit) at = laneLimit - 1;
    laneEndNs[at] = sliceEndNs;
    lane[i] = at;
    if (at >= openLanes) openLanes = at + 1;
    if (openLanes > laneCount) laneCount = openLanes;
  }
  return laneCount;
}

/** Slice → its lane in its track, all sorts of slices together. */
export function nestedLanes({slices, tracks}: Pick<Trace, 'slices' | 'tracks'>): Uint16Array {
  const lanes = new Uint16Array(slices.length);
  for (const {firstSlice, endSlice} of tracks) assignLanes(slices, lanes, firstSlice, endSlice);
  return lanes;
}
