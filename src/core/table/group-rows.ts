import {release, type WholeColumn} from './table.js';

/** Rows by group: `rows[offsets[group]] … rows[offsets[group + 1] - 1]`, ascending. */
export interface GroupedRows {
  readonly rows: Uint32Array;
  readonly offsets: Uint32Array;
}

/** Groups rows 0 to `length` by their group, one of `groups`; rows with a negative group are in none. */
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

// Each loop is in its own function. V8 compiles a function while its first loop runs, without feedback about later
// code; on reaching that code, it would start again with its slowest tier.

function countRows(groupOf: Int32Array, length: number, offsets: Uint32Array): void {
  for (let row = 0; row < length; row++) if (groupOf[row] >= 0) offsets[groupOf[row] + 1]++;
}

/** Replaces each number with the sum of all up to it. */
export function addUp(counts: Uint32Array): void {
  for (let i = 1; i < counts.length; i++) counts[i] += counts[i - 1];
}

/** Returns the greatest of the first `length` numbers; -1 if none is 0 or more. */
export function mostOf(numbers: WholeColumn, length = numbers.length): number {
  let most = -1;
  for (let i = 0; i < length; i++) if (numbers[i] > most) most = numbers[i];
  return most;
}

function placeRows(groupOf: Int32Array, length: number, next: Uint32Array, rows: Uint32Array): void {
  for (let row = 0; row < length; row++) if (groupOf[row] >= 0) rows[next[groupOf[row]]++] = row;
}
