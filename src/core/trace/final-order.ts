import {upperBound} from '../table/search.js';
import {sortByStart} from '../table/sort.js';
import {release} from '../table/table.js';
import type {FlowTable} from './flows.js';
import type {SliceTable} from './slices.js';
import type {Track} from './trace.js';
import type {TrackSpec} from './track-spec.js';

/** Converts flows to the final tracks and the trace's time. */
export function moveFlows(
  {length, fromTrack, fromNs, toTrack, toNs}: FlowTable,
  rank: Int32Array,
  originNs: number,
): void {
  for (let i = 0; i < length; i++) {
    fromTrack[i] = rank[fromTrack[i]];
    fromNs[i] -= originNs;
    toTrack[i] = rank[toTrack[i]];
    toNs[i] -= originNs;
  }
}

/**
 * Returns the tracks from top to bottom: by `order`, then by first use. `rank` maps a track's old index to its new one.
 */
export function inDisplayOrder(tracks: readonly TrackSpec[]): {tracks: TrackSpec[]; rank: Int32Array} {
  const order = tracks.map((_, index) => index).sort((a, b) => tracks[a].order - tracks[b].order || a - b);
  const rank = new Int32Array(tracks.length);
  order.forEach((track, position) => (rank[track] = position));
  return {tracks: order.map(track => tracks[track]), rank};
}

/** Replaces draft rows of slices by their final rows, in place. */
export function remap(slice: Int32Array, rowOfDraft: Int32Array): void {
  for (let i = 0; i < slice.length; i++) slice[i] = rowOfDraft[slice[i]];
}

/** Returns the order that sorts rows by the start of their slices; ties keep their row order. */
export function orderByStart(slice: Int32Array, startNs: Float64Array): Uint32Array {
  const starts = new Float64Array(slice.length);
  const order = new Uint32Array(slice.length);
  for (let row = 0; row < slice.length; row++) {
    starts[row] = startNs[slice[row]];
    order[row] = row;
  }
  sortByStart(order, starts);
  release(starts);
  return order;
}

/**
 * Returns the order that sorts rows by their slices, which are all different. `places` has one entry per slice, all -1.
 */
export function orderBySlice(slice: Int32Array, places: Int32Array): Uint32Array {
  for (let row = 0; row < slice.length; row++) places[slice[row]] = row;
  const order = new Uint32Array(slice.length);
  takePlaced(places, order);
  return order;
}

function takePlaced(places: Int32Array, order: Uint32Array): void {
  let length = 0;
  for (let at = 0; at < places.length; at++) {
    if (places[at] < 0) continue;
    order[length++] = places[at];
    places[at] = -1;
  }
}

/** Returns the tracks with the range of slices that each has. `slices` are sorted by track. */
export function cutTracks(specs: readonly TrackSpec[], slices: SliceTable): Track[] {
  const tracks: Track[] = [];
  let firstSlice = 0;
  specs.forEach(({kind, name, process, device, thread = -1}, index) => {
    const endSlice = upperBound(slices.track, index, firstSlice);
    tracks.push({kind, name, process, device, thread, firstSlice, endSlice});
    firstSlice = endSlice;
  });
  return tracks;
}
