import {addUp} from '../table/group-rows.js';
import type {SliceTable} from '../trace/slices.js';
import {arrayBytes, derived, derivedKey} from '../trace/derived.js';
import type {Trace, Track} from '../trace/trace.js';
import {drawnLanes, laneCountOf, type LaneColumn, type LaneSection} from './lane-sections.js';

/** Slices by track: from a trace, or drawn in addition to it. */
export type DrawnSlices = Pick<Trace, 'slices' | 'tracks'>;

/** The slices of each lane in order of time, for binary search: within a lane, both starts and ends ascend. */
export interface LaneIndex {
  /** Row of the slices table → lane inside its track, where sections are below each other. */
  readonly laneOf: LaneColumn;
  /** Track → its sections, from top to bottom; none for a track without slices. */
  readonly sections: readonly (readonly LaneSection[])[];
  /** Rows of the slices table, by track, then lane, then start. */
  readonly order: Uint32Array;
  /** The index's memory. */
  readonly bytes: number;
  /** Returns the part of `order` for a lane. */
  lane(track: number, lane: number): {readonly first: number; readonly end: number};
  /** Returns the first position from `first` on whose slice ends after `ns` (or starts there); `end` for none. */
  firstEndingAfter(first: number, end: number, ns: number): number;
  /** Returns the first position after `first` whose slice starts at or after `ns`; `end` for none. */
  firstStartingFrom(first: number, end: number, ns: number): number;
  /** Returns the sum of the durations of the slices at positions `from` to `to` (exclusive), ns. */
  sumNs(from: number, to: number): number;
  /** Returns whether the slices at positions `from` to `to` (exclusive) all have the same name. */
  haveOneName(from: number, to: number): boolean;
}

/**
 * Sums are stored for groups of this many positions, which takes less than a byte per slice, and a lookup takes few
 * steps.
 */
const groupSize = 16;

const lanesKey = derivedKey<LaneIndex>('lanes');

/** Returns the index of a trace, which is created on the first call and cached with the trace. */
export function laneIndex(trace: Trace): LaneIndex {
  return derived(
    trace,
    lanesKey,
    () => buildLaneIndex(trace),
    index => index.bytes,
  );
}

/** Creates an index of slices that are sorted by track, then start. */
export function buildLaneIndex({slices, tracks}: DrawnSlices): LaneIndex {
  const {startNs, durationNs, name} = slices;
  const {laneOf: lane, sections} = drawnLanes({slices, tracks});
  const order = new Uint32Array(slices.length);
  // Lane `l` of track `t` is order[offsets[laneBase[t] + l]] … order[offsets[laneBase[t] + l + 1] - 1].
  const laneBase = new Int32Array(tracks.length + 1);
  tracks.forEach((_, track) => (laneBase[track + 1] = laneBase[track] + laneCountOf(sections[track])));
  const offsets = new Uint32Array(laneBase[tracks.length] + 1);
  tracks.forEach((each, track) => {
    countByLane(lane, each, laneBase[track] + 1, offsets);
  });
  addUp(offsets);
  const next = offsets.slice();
  tracks.forEach((each, track) => {
    placeByLane(lane, each, laneBase[track], next, order);
  });
  const groups = summarize(order, slices);
  const nameAt = (position: number) => name[order[position]];
  return {
    order,
    laneOf: lane,
    sections,
    bytes: arrayBytes({order, lane, laneBase, offsets, groups}),
    lane: (track, laneNumber) => {
      const at = laneBase[track] + laneNumber;
      return {first: offsets[at], end: offsets[at + 1]};
    },
    firstEndingAfter(first, end, ns) {
      while (first < end) {
        const middle = (first + end) >>> 1;
        const row = order[middle];
        if (startNs[row] + durationNs[row] <= ns && startNs[row] < ns) first = middle + 1;
        else end = middle;
      }
      return first;
    },
    firstStartingFrom(first, end, ns) {
      // First finds the group that starts too late, then the slice in the previous group: groups are close together in
      // memory.
      const group = groups.firstStartingFrom(Math.ceil((first + 1) / groupSize), Math.ceil(end / groupSize), ns);
      let low = Math.max(first + 1, (group - 1) * groupSize);
      let high = Math.min(end, group * groupSize);
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (startNs[order[middle]] < ns) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    sumNs(from, to) {
      let sumNs = 0;
      let at = from;
      for (; at < to && at % groupSize !== 0; at++) sumNs += durationNs[order[at]];
      const lastGroup = Math.floor(to / groupSize);
      if (at < to && lastGroup > at / groupSize) {
        sumNs += groups.sumBefore[lastGroup] - groups.sumBefore[at / groupSize];
        at = lastGroup * groupSize;
      }
      for (; at < to; at++) sumNs += durationNs[order[at]];
      return sumNs;
    },
    haveOneName(from, to) {
      const first = nameAt(from);
      const firstGroup = Math.ceil(from / groupSize);
      const lastGroup = Math.floor(to / groupSize);
      const hasGroups = firstGroup < lastGroup;
      const headEnd = hasGroups ? firstGroup * groupSize : to;
      for (let at = from + 1; at < headEnd; at++) if (nameAt(at) !== first) return false;
      if (!hasGroups) return true;
      if (nameAt(headEnd) !== first || groups.sameNameTo[firstGroup] < lastGroup) return false;
      for (let at = lastGroup * groupSize; at < to; at++) if (nameAt(at) !== first) return false;
      return true;
    },
  };
}

function countByLane(lane: LaneColumn, {firstSlice, endSlice}: Track, base: number, counts: Uint32Array): void {
  for (let row = firstSlice; row < endSlice; row++) counts[base + lane[row]]++;
}

function placeByLane(
  lane: LaneColumn,
  {firstSlice, endSlice}: Track,
  base: number,
  next: Uint32Array,
  order: Uint32Array,
): void {
  for (let row = firstSlice; row < endSlice; row++) order[next[base + lane[row]]++] = row;
}

/** Data by group of positions. */
interface Groups {
  /** The sum of the durations of all earlier slices. */
  readonly sumBefore: Float64Array;
  /**
   * The first group from here on with a slice whose name differs from this group's first slice; this group itself if
   * its own names differ.
   */
  readonly sameNameTo: Int32Array;
  /** Returns the first group from `first` on, in one lane, that starts at or after `ns`; `end` for none. */
  firstStartingFrom(first: number, end: number, ns: number): number;
}

function summarize(order: Uint32Array, {startNs, durationNs, name}: SliceTable): Groups {
  const count = Math.ceil(order.length / groupSize);
  const sumBefore = new Float64Array(count + 1);
  const firstNs = new Float64Array(count);
  const sameNameTo = new Int32Array(count + 1);
  let sumNs = 0;
  for (let group = 0; group < count; group++) {
    const from = group * groupSize;
    const to = Math.min(order.length, from + groupSize);
    const groupName = name[order[from]];
    firstNs[group] = startNs[order[from]];
    sumBefore[group] = sumNs;
    let isUniform = true;
    for (let at = from; at < to; at++) {
      const row = order[at];
      sumNs += durationNs[row];
      if (name[row] !== groupName) isUniform = false;
    }
    sameNameTo[group] = isUniform ? 1 : 0;
  }
  sumBefore[count] = sumNs;
  for (let group = count - 1; group >= 0; group--) {
    const isSame = group + 1 < count && name[order[(group + 1) * groupSize]] === name[order[group * groupSize]];
    if (sameNameTo[group] === 0) sameNameTo[group] = group;
    else sameNameTo[group] = isSame ? Math.max(group + 1, sameNameTo[group + 1]) : group + 1;
  }
  return {
    sumBefore,
    sameNameTo,
    firstStartingFrom(first, end, ns) {
      // Galloping search: the next pixel is mostly near.
      let low = first;
      let step = 1;
      while (low + step < end && firstNs[low + step] < ns) {
        low += step;
        step *= 2;
      }
      let high = Math.min(end, low + step);
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (firstNs[middle] < ns) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
