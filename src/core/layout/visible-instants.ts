import {addUp} from '../table/group-rows.js';
import {displayName} from '../names/slice-name.js';
import {TableBuilder, type Table} from '../table/table.js';
import {arrayBytes, derived, derivedKey} from '../trace/derived.js';
import {instantKinds} from '../trace/instants.js';
import type {Trace} from '../trace/trace.js';

/**
 * One row per marker to draw, by track and time.
 *
 *     row  track  atPx  instant  name  kind  count
 *      0       2  12.5       40     0     0      1   one instant
 *      1       2  60.0       41    -1     4     19   19 that share a pixel
 *
 * Pixels count from the window's left edge. `instant` is the marker's first; `name` is -1 for a marker of several
 * instants. Track -1 is the whole trace.
 */
const visibleInstantSchema = {
  track: 'i32',
  atPx: 'f32',
  instant: 'i32',
  name: 'i32',
  kind: 'u8',
  count: 'i32',
} as const;

export interface VisibleInstants {
  readonly markers: Table<typeof visibleInstantSchema>;
  readonly names: readonly string[];
  readonly kinds: readonly string[];
}

/** The instants of each track in order of time. */
interface InstantIndex {
  readonly order: Uint32Array;
  /** Track + 1 → where its instants begin in `order`. */
  readonly offsets: Uint32Array;
}

const longestName = 120;

/** Returns the result if no instant is visible. */
export function noInstants(): VisibleInstants {
  return {markers: new TableBuilder(visibleInstantSchema, 1).finish(), names: [], kinds: instantKinds};
}

/**
 * Returns what to draw for the instants of some tracks in a window; those of a track that share a pixel become one
 * marker.
 */
export function visibleInstants(
  trace: Trace,
  {fromNs, toNs, widthPx}: {readonly fromNs: number; readonly toNs: number; readonly widthPx: number},
  tracks: readonly number[],
): VisibleInstants {
  const {instants, strings} = trace;
  const {atNs, name, kind} = instants;
  const {order, offsets} = instantIndex(trace);
  const builder = new TableBuilder(visibleInstantSchema, 64);
  const names: string[] = [];
  const nameIndex = new Map<number, number>();
  const pxPerNs = widthPx / (toNs - fromNs);
  for (const track of tracks) {
    if (!(track >= -1 && track + 2 < offsets.length)) continue;
    const end = offsets[track + 2];
    for (let at = firstFrom(offsets[track + 1], end, fromNs); at < end && atNs[order[at]] < toNs;) {
      const instant = order[at];
      const next = firstFrom(at + 1, end, atNs[instant] + 1 / pxPerNs);
      const count = next - at;
      builder.push({
        track,
        atPx: (atNs[instant] - fromNs) * pxPerNs,
        instant,
        name: count === 1 ? nameOf(name[instant]) : -1,
        kind: kind[instant],
        count,
      });
      at = next;
    }
  }
  return {markers: builder.finish(), names, kinds: instantKinds};

  function firstFrom(first: number, end: number, ns: number): number {
    while (first < end) {
      const middle = (first + end) >>> 1;
      if (atNs[order[middle]] < ns) first = middle + 1;
      else end = middle;
    }
    return first;
  }

  function nameOf(own: number): number {
    let index = nameIndex.get(own);
    if (index === undefined) {
      index = names.push(displayName(strings.get(own)).slice(0, longestName)) - 1;
      nameIndex.set(own, index);
    }
    return index;
  }
}

/** Returns the number of instants on each track; those of the whole trace, at -1, come first. */
export function instantCounts(trace: Trace): Uint32Array {
  const {offsets} = instantIndex(trace);
  return Uint32Array.from({length: offsets.length - 1}, (_, i) => offsets[i + 1] - offsets[i]);
}

const instantsByTrackKey = derivedKey<InstantIndex>('instants by track');

function instantIndex(trace: Trace): InstantIndex {
  return derived(
    trace,
    instantsByTrackKey,
    () => {
      const {track, length} = trace.instants;
      const offsets = new Uint32Array(trace.tracks.length + 2);
      for (let i = 0; i < length; i++) offsets[track[i] + 2]++;
      addUp(offsets);
      const next = offsets.slice();
      const order = new Uint32Array(length);
      // Instants are sorted by time, and so is each track's part.
      for (let i = 0; i < length; i++) order[next[track[i] + 1]++] = i;
      return {order, offsets};
    },
    arrayBytes,
  );
}
