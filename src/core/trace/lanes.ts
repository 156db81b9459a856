import type {Intervals} from './intervals.js';
import type {Trace} from './trace.js';

/**
 * Python nests a thousand deep at most. Deeper slices share the last lane, as searching through more lanes is too slow.
 */
const laneLimit = 2048;

/**
 * Assigns lanes to the slices of one track, in order of start, longer first.
 *
 * A slice is placed below every open slice that contains it, on the first free lane from there, so slices of one lane
 * never overlap. Overlap without nesting (kernels on one stream, annotations that straddle a Python frame) takes a
 * second lane and then frees it:
 *
 *       lane 0  AAAAAAAAAA    CCCCCCC
 *       lane 1      aaaa   BBBBBB
 */
export class LaneNest {
  #laneCount = 0;
  #openLanes = 0;
  readonly #endNs: number[] = [];

  /** The number of lanes used. */
  get laneCount(): number {
    return this.#laneCount;
  }

  /** Returns the lane of the next slice. */
  laneOf(startNs: number, endNs: number): number {
    const laneEndNs = this.#endNs;
    let openLanes = this.#openLanes;
    while (openLanes > 0 && laneEndNs[openLanes - 1] <= startNs) openLanes--;
    let lane = openLanes;
    while (lane > 0 && laneEndNs[lane - 1] < endNs) lane--;
    while (lane < openLanes && laneEndNs[lane] > startNs) lane++;
    if (lane >= laneLimit) lane = laneLimit - 1;
    laneEndNs[lane] = endNs;
    if (lane >= openLanes) openLanes = lane + 1;
    if (openLanes > this.#laneCount) this.#laneCount = openLanes;
    this.#openLanes = openLanes;
    return lane;
  }
}

/** Writes the lanes of rows `first` to `end` (exclusive) of one track into `lane`; returns the number of lanes used. */
export function assignLanes({startNs, durationNs}: Intervals, lane: Uint16Array, first: number, end: number): number {
  const nest = new LaneNest();
  for (let row = first; row < end; row++) lane[row] = nest.laneOf(startNs[row], startNs[row] + durationNs[row]);
  return nest.laneCount;
}

/** Returns the lane of each slice in its track, all kinds of slices together. */
export function nestedLanes({slices, tracks}: Pick<Trace, 'slices' | 'tracks'>): Uint16Array {
  const lanes = new Uint16Array(slices.length);
  for (const {firstSlice, endSlice} of tracks) assignLanes(slices, lanes, firstSlice, endSlice);
  return lanes;
}
