import {release, type WholeColumn} from './table.js';

/** Rows by group: `rows[offsets[group]] … rows[offsets[group + 1] - 1]`, ascending. */
export interface GroupedRows {
  readonly rows: Uint32Array;
  readonly offsets: Uint32Array;
}

/** Rows 0 to `length` by the group that each is in, one of `groups`; those with a group below 0 are in none. */
export function groupRows(groupOf: Int32Array, groups: number, length = groupOf.length): GroupedRows {
  const offsets = new Uint32Array(groups + 1);
  countRows(groupOf, length, offsets);
  addUp(offsets);
  const rows = new Uint32Array(offsets[groups]);
  const next = offsets.slice();
  placeRows(groupOf, length, next, rows);
  release(next);
  return {rows, offsets};
}

// Each loop is a function of its own: V8 compiles a function while its first loop runs, knows nothing then of what comes
// behind, and begins anew there with its slowest code.

function countRows(groupOf: Int32Array, length: number, offsets: Uint32Array): void {
  for (let row = 0; row < length; row++) if (groupOf[row] >= 0) offsets[groupOf[row] + 1]++;
}

/** Makes of each number the sum of all up to it. */
export function addUp(counts: Uint32Array): void {
  for (let i = 1; i < counts.length; i++) counts[i] += counts[i - 1];
}

/** The most of the first `length` numbers, -1 where there is none from 0. */
export function mostOf(numbers: WholeColumn, length = numbers.length): number {
  let most = -1;
  for (let i = 0; i < length; i++) if (numbers[i] > most) most = numbers[i];
  return most;
}

function placeRows(groupOf: Int32Array, length: number, next: Uint32Array, rows: Uint32Array): void {
  for (let row = 0; row < length; row++) if (groupOf[row] >= 0) rows[next[groupOf[row]]++] = row;
}
