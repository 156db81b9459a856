import type {Intervals} from './intervals.js';
import type {Trace} from './trace.js';

/** Python nests a thousand deep at most. What is deeper shares the last lane: a search through more would take forever. */
const laneLimit = 2048;

/**
 * Gives the slices of one track their lanes, in order of start, longer first.
 *
 * A slice lies below every open slice that contains it, on the first lane from there on that is free, so slices of one
 * lane never overlap. Overlap without nesting (kernels on one stream, annotations that straddle a Python frame) takes a
 * second lane and gives it back:
 *
 *     lane 0  AAAAAAAAAA    CCCCCCC
 *     lane 1      aaaa   BBBBBB
 */
export class LaneNest {
  #laneCount = 0;
  #openLanes = 0;
  readonly #endNs: number[] = [];

  /** How many lanes there were. */
  get laneCount(): number {
    return this.#laneCount;
  }

  /** The lane of the next slice. */
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

/** Writes the lane of rows `first` to `end` (exclusive) of one track into `lane`; returns how many lanes they took. */
export function assignLanes({startNs, durationNs}: Intervals, lane: Uint16Array, first: number, end: number): number {
  const nest = new LaneNest();
  for (let row = first; row < end; row++) lane[row] = nest.laneOf(startNs[row], startNs[row] + durationNs[row]);
  return nest.laneCount;
}

/** Slice → its lane in its track, all sorts of slices together. */
export function nestedLanes({slices, tracks}: Pick<Trace, 'slices' | 'tracks'>): Uint16Array {
  const lanes = new Uint16Array(slices.length);
  for (const {firstSlice, endSlice} of tracks) assignLanes(slices, lanes, firstSlice, endSlice);
  return lanes;
}
