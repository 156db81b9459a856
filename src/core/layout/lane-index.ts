import {addUp} from '../table/group-rows.js';
import type {SliceTable} from '../trace/slices.js';
import {arrayBytes, derived, derivedKey} from '../trace/derived.js';
import type {Trace, Track} from '../trace/trace.js';
import {drawnLanes, laneCountOf, type LaneColumn, type LaneSection} from './lane-sections.js';

/** Slices by track: a trace, or what is drawn besides it. */
export type DrawnSlices = Pick<Trace, 'slices' | 'tracks'>;

/** The slices of each lane in order of time, for binary search: within a lane neither starts nor ends ever go back. */
export interface LaneIndex {
  /** Row of the slices table → lane inside its track, sections one below the other. */
  readonly laneOf: LaneColumn;
  /** Track → its sections, from top to bottom; none where it holds no slices. */
  readonly sections: readonly (readonly LaneSection[])[];
  /** Rows of the slices table, by track, then lane, then start. */
  readonly order: Uint32Array;
  /** What the index holds in memory. */
  readonly bytes: number;
  /** The part of `order` that holds a lane. */
  lane(track: number, lane: number): {readonly first: number; readonly end: number};
  /** The first position from `first` on whose slice ends after `ns` (or starts there), `end` for none. */
  firstEndingAfter(first: number, end: number, ns: number): number;
  /** The first position after `first` whose slice starts at or after `ns`, `end` for none. */
  firstStartingFrom(first: number, end: number, ns: number): number;
  /** Summed durations of the slices at positions `from` to `to` (exclusive), ns. */
  sumNs(from: number, to: number): number;
  /** Whether the slices at positions `from` to `to` (exclusive) all have one name. */
  haveOneName(from: number, to: number): boolean;
}

/** Positions are summed up in groups of this many: that costs less than a byte a slice, and a look takes few steps. */
const groupSize = 16;

const lanesKey = derivedKey<LaneIndex>('lanes');

/** The index of a trace, made at the first call and kept with the trace. */
export function laneIndex(trace: Trace): LaneIndex {
  return derived(
    trace,
    lanesKey,
    () => buildLaneIndex(trace),
    index => index.bytes,
  );
}

/** The index of slices that are sorted by track, then start. */
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
      // The group that starts too late, then the slice in the one before it: groups lie close together in memory.
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

/** What is kept by group of positions. */
interface Groups {
  /** The summed durations of all slices before it. */
  readonly sumBefore: Float64Array;
  /** The first group from here on whose slices do not all have the name of this one's first: itself, if they differ. */
  readonly sameNameTo: Int32Array;
  /** The first group from `first` on, in one lane, that starts at or after `ns`, `end` for none. */
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
      // Galloping: the next pixel is mostly near.
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
