import type {Trace} from '../trace/trace.js';

/** The slices of each lane in order of time, for binary search: within a lane neither starts nor ends ever go back. */
export interface LaneIndex {
  /** Rows of the slices table, by track, then lane, then start. */
  readonly order: Uint32Array;
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

/** The index of a trace, made at the first call and kept with the trace. */
export function laneIndex(trace: Trace): LaneIndex {
  let index = indices.get(trace);
  if (!index) indices.set(trace, (index = buildIndex(trace)));
  return index;
}

const indices = new WeakMap<Trace, LaneIndex>();

function buildIndex({slices, tracks}: Trace): LaneIndex {
  const {startNs, durationNs, lane, name} = slices;
  const order = new Uint32Array(slices.length);
  // Lane `l` of track `t` is order[offsets[laneBase[t] + l]] … order[offsets[laneBase[t] + l + 1] - 1].
  const laneBase = new Int32Array(tracks.length + 1);
  tracks.forEach(({laneCount}, track) => (laneBase[track + 1] = laneBase[track] + laneCount));
  const offsets = new Uint32Array(laneBase[tracks.length] + 1);
  tracks.forEach(({firstSlice, endSlice}, track) => {
    for (let row = firstSlice; row < endSlice; row++) offsets[laneBase[track] + lane[row] + 1]++;
  });
  for (let i = 1; i < offsets.length; i++) offsets[i] += offsets[i - 1];
  const next = offsets.slice();
  tracks.forEach(({firstSlice, endSlice}, track) => {
    for (let row = firstSlice; row < endSlice; row++) order[next[laneBase[track] + lane[row]]++] = row;
  });
  const groups = summarize(order, durationNs, name);
  const nameAt = (position: number) => name[order[position]];
  return {
    order,
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
      // Galloping: the next pixel is mostly near.
      let step = 1;
      let low = first + 1;
      while (low + step < end && startNs[order[low + step]] < ns) {
        low += step;
        step *= 2;
      }
      let high = Math.min(end, low + step);
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
      let at = from;
      while (at < to) {
        if (nameAt(at) !== first) return false;
        const isWhole = at % groupSize === 0 && at + groupSize <= to && groups.isUniform[at / groupSize] === 1;
        at += isWhole ? groupSize : 1;
      }
      return true;
    },
  };
}

/** By group of positions: the summed durations of all before it, and whether its slices have one name. */
function summarize(
  order: Uint32Array,
  durationNs: Float64Array,
  name: Int32Array,
): {sumBefore: Float64Array; isUniform: Uint8Array} {
  const groups = Math.ceil(order.length / groupSize);
  const sumBefore = new Float64Array(groups + 1);
  const isUniform = new Uint8Array(groups).fill(1);
  let sumNs = 0;
  for (let group = 0, at = 0; group < groups; group++) {
    const end = Math.min(order.length, at + groupSize);
    const first = name[order[at]];
    for (; at < end; at++) {
      sumNs += durationNs[order[at]];
      if (name[order[at]] !== first) isUniform[group] = 0;
    }
    sumBefore[group + 1] = sumNs;
  }
  return {sumBefore, isUniform};
}
