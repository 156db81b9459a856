import {groupRows, mostOf} from './group-rows.js';
import {firstWhere} from './search.js';
import {release} from './table.js';

/** Shorter runs are extended to this length by insertion. */
const leastInRun = 16;

/**
 * Returns the order that sorts rows by `track`, then by `startNs`. The sort is stable.
 *
 * `track` contains indices from 0, below `tracks`, which is computed if absent. One counting pass groups the tracks;
 * only those that are not in order are sorted.
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
 * Sorts row numbers by their `startNs`, in place. The sort is stable.
 *
 * A natural merge sort. Profilers write most tracks as a few runs in order of time (operators, then calls), or in order
 * of ends, which is nearly sorted. Both take about one pass over the rows; rows in random order take the logarithm of
 * their number of passes.
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

/** Returns where sorted runs begin, and the end of all rows. */
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

/** Inserts the row at `from` into the sorted rows from `begin` on before it. */
function insert(rows: Uint32Array, begin: number, from: number, startNs: Float64Array): void {
  const row = rows[from];
  const atNs = startNs[row];
  let at = from;
  for (; at > begin && startNs[rows[at - 1]] > atNs; at--) rows[at] = rows[at - 1];
  rows[at] = row;
}

/**
 * Merges the run from `begin` to `middle` with the run from `middle` to `end`. Rows that are already in place are not
 * moved.
 *
 * Returns the scratch memory: `spare`, or a larger array if that was too small.
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
  // Once the left run is exhausted, the rest of the right run is already in place.
  while (left < length && right < end) {
    // Times are read again in each round, because V8 would box values carried over.
    rows[at++] = startNs[rows[right]] < startNs[spare[left]] ? rows[right++] : spare[left++];
  }
  rows.set(spare.subarray(left, length), at);
  return spare;
}
