import {release} from './table.js';

/** Fewer rows are compared. */
const bucketsFromRows = 64;
const rowsPerBucketBits = 2;
/** Insertion takes the square of it. */
const mostInserted = 48;

/**
 * The order that sorts rows by `track`, then by `startNs`; rows equal in both keep their order.
 *
 * `track` holds indices from 0, `startNs` whole numbers. Linear time: one counting pass brings the tracks together, and
 * only tracks that are not in order are sorted. Profilers write most tracks in order.
 */
export function orderByTrackAndStart(track: Int32Array, startNs: Float64Array, length: number): Uint32Array {
  const {order, offsets} = groupByTrack(track, length);
  for (let group = 0; group + 1 < offsets.length; group++) {
    const rows = order.subarray(offsets[group], offsets[group + 1]);
    if (!isSorted(rows, startNs)) sortByStart(rows, startNs);
  }
  return order;
}

/**
 * Sorts ascending row numbers by their `startNs`, in place; of equal ones the earlier row stays first.
 *
 * Rows are spread over buckets of equal time, a few to each, and then moved to their place inside it. What profilers
 * write is nearly in order, so that neighbours stay neighbours in memory all the way.
 */
export function sortByStart(rows: Uint32Array, startNs: Float64Array): void {
  const {length} = rows;
  let leastNs = Infinity;
  let mostNs = -Infinity;
  for (let i = 0; i < length; i++) {
    const atNs = startNs[rows[i]];
    if (atNs < leastNs) leastNs = atNs;
    if (atNs > mostNs) mostNs = atNs;
  }
  if (length < bucketsFromRows || !(mostNs > leastNs)) {
    if (length > 1) rows.sort((a, b) => startNs[a] - startNs[b] || a - b);
    return;
  }
  const bucketCount = length >> rowsPerBucketBits;
  const bucketsPerNs = (bucketCount - 1) / (mostNs - leastNs);
  const ends = new Uint32Array(bucketCount + 1);
  for (let i = 0; i < length; i++) ends[((startNs[rows[i]] - leastNs) * bucketsPerNs) >>> 0]++;
  let end = 0;
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    const begin = end;
    end += ends[bucket];
    ends[bucket] = begin;
  }
  const spread = new Uint32Array(length);
  for (let i = 0; i < length; i++) {
    const row = rows[i];
    spread[ends[((startNs[row] - leastNs) * bucketsPerNs) >>> 0]++] = row;
  }
  for (let bucket = 0, begin = 0; bucket < bucketCount; bucket++) {
    sortBucket(spread, begin, ends[bucket], startNs);
    begin = ends[bucket];
  }
  rows.set(spread);
  release(spread);
  release(ends);
}

/** By insertion; buckets into which much has fallen, where times are unevenly spread, by comparison. */
function sortBucket(rows: Uint32Array, begin: number, end: number, startNs: Float64Array): void {
  if (end - begin > mostInserted) {
    rows.subarray(begin, end).sort((a, b) => startNs[a] - startNs[b] || a - b);
    return;
  }
  for (let i = begin + 1; i < end; i++) {
    const row = rows[i];
    const atNs = startNs[row];
    let at = i;
    for (; at > begin && startNs[rows[at - 1]] > atNs; at--) rows[at] = rows[at - 1];
    rows[at] = row;
  }
}

function groupByTrack(track: Int32Array, length: number): {order: Uint32Array; offsets: Uint32Array} {
  let tracks = 0;
  for (let i = 0; i < length; i++) tracks = Math.max(tracks, track[i] + 1);
  const offsets = new Uint32Array(tracks + 1);
  for (let i = 0; i < length; i++) offsets[track[i] + 1]++;
  for (let i = 0; i < tracks; i++) offsets[i + 1] += offsets[i];
  const order = new Uint32Array(length);
  const next = offsets.slice();
  for (let i = 0; i < length; i++) order[next[track[i]]++] = i;
  return {order, offsets};
}

function isSorted(rows: Uint32Array, startNs: Float64Array): boolean {
  for (let i = 1; i < rows.length; i++) if (startNs[rows[i]] < startNs[rows[i - 1]]) return false;
  return true;
}
