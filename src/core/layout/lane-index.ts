import type {Trace} from '../trace/trace.js';

/** The slices of each lane in order of time, for binary search: within a lane neither starts nor ends ever go back. */
export interface LaneIndex {
  /** Rows of the slices table, by track, then lane, then start. */
  readonly order: Uint32Array;
  /** The part of `order` that holds a lane. */
  lane(track: number, lane: number): {readonly first: number; readonly end: number};
  /** The first position from `first` on whose slice ends after `ns` (or starts there), `end` for none. */
  firstEndingAfter(first: number, end: number, ns: number): number;
}

/** The index of a trace, made at the first call and kept with the trace. */
export function laneIndex(trace: Trace): LaneIndex {
  let index = indices.get(trace);
  if (!index) indices.set(trace, (index = buildIndex(trace)));
  return index;
}

const indices = new WeakMap<Trace, LaneIndex>();

function buildIndex({slices, tracks}: Trace): LaneIndex {
  const {startNs, durationNs, lane} = slices;
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
  };
}
