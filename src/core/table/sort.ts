import {groupRows, mostOf} from './group-rows.js';
import {firstWhere} from './search.js';
import {release} from './table.js';

/** Shorter runs are made as long by insertion. */
const leastInRun = 16;

/**
 * The order that sorts rows by `track`, then by `startNs`; rows equal in both keep their order.
 *
 * `track` holds indices from 0, below `tracks`, which are counted where that is left out. One counting pass brings the
 * tracks together; only those that are not in order are sorted.
 */
export function orderByTrackAndStart(
  track: Int32Array,
  startNs: Float64Array,
  length: number,
  tracks = mostOf(track, length) + 1,
): Uint32Array {
  const {rows: order, offsets} = groupRows(track, tracks, length);
  for (let group = 0; group + 1 < offsets.length; group++) {
    sortByStart(order.subarray(offsets[group], offsets[group + 1]), startNs);
  }
  return order;
}

/**
 * Sorts row numbers by their `startNs`, in place; those that begin together keep their order.
 *
 * A natural merge sort: what profilers write of a track are mostly a few runs in order of time (its operators, then its
 * calls), or rows in order of their ends, which are near their places. Both take about one pass over the rows; rows in
 * no order at all take the logarithm of their number.
 */
export function sortByStart(rows: Uint32Array, startNs: Float64Array): void {
  let runs = findRuns(rows, startNs);
  if (runs.length <= 2) return;
  let spare = new Uint32Array(0);
  while (runs.length > 2) {
    const merged: number[] = [];
    for (let run = 0; run + 1 < runs.length; run += 2) {
      merged.push(runs[run]);
      if (run + 2 < runs.length) spare = merge(rows, runs[run], runs[run + 1], runs[run + 2], startNs, spare);
    }
    merged.push(rows.length);
    runs = merged;
  }
  release(spare);
}

/** Where runs in order begin, and the end of all rows. */
function findRuns(rows: Uint32Array, startNs: Float64Array): number[] {
  const runs: number[] = [];
  let begin = 0;
  while (begin < rows.length) {
    runs.push(begin);
    let end = endOfRun(rows, begin, startNs);
    const least = Math.min(begin + leastInRun, rows.length);
    for (; end < least; end++) insert(rows, begin, end, startNs);
    begin = end;
  }
  runs.push(rows.length);
  return runs;
}

function endOfRun(rows: Uint32Array, begin: number, startNs: Float64Array): number {
  let end = begin + 1;
  while (end < rows.length && startNs[rows[end - 1]] <= startNs[rows[end]]) end++;
  return end;
}

/** Puts the row at `from` in its place among those from `begin` on before it. */
function insert(rows: Uint32Array, begin: number, from: number, startNs: Float64Array): void {
  const row = rows[from];
  const atNs = startNs[row];
  let at = from;
  for (; at > begin && startNs[rows[at - 1]] > atNs; at--) rows[at] = rows[at - 1];
  rows[at] = row;
}

/**
 * Merges the run from `begin` to `middle` with the one from there to `end`: what is in its place already is not touched.
 *
 * Returns the memory that it took beside the rows: `spare`, or more where that was too little.
 */
function merge(
  rows: Uint32Array,
  begin: number,
  middle: number,
  end: number,
  startNs: Float64Array,
  spare: Uint32Array<ArrayBuffer>,
): Uint32Array<ArrayBuffer> {
  if (startNs[rows[middle - 1]] <= startNs[rows[middle]]) return spare;
  const first = firstWhere(begin, middle, at => startNs[rows[at]] > startNs[rows[middle]]);
  const length = middle - first;
  if (spare.length < length) {
    release(spare);
    spare = new Uint32Array(length);
  }
  spare.set(rows.subarray(first, middle));
  let at = first;
  let left = 0;
  let right = middle;
  // What is left of the right run when the left one is at its end stands where it belongs.
  while (left < length && right < end) {
    // Times are read again each time, since V8 would box those that it carries from one round to the next.
    rows[at++] = startNs[rows[right]] < startNs[spare[left]] ? rows[right++] : spare[left++];
  }
  rows.set(spare.subarray(left, length), at);
  return spare;
}
