import {sliceKinds, type SliceKindSet} from '../../core/trace/slices.js';
import type {Trace} from '../../core/trace/trace.js';

/** Row id of a table of nsys's → row of ours, -1 for none. */
export type RowOfSource = (rowid: number) => number;

/** Files with row ids far beyond their number are looked up in a map. */
const mostIdsPerRow = 8;

/**
 * How the rows of a table of ours are found by the rows of nsys's tables that they came from, one of which each of `kinds`
 * stands for; null for a table that none came from.
 *
 * @param sliceOf row of ours → row of the slices table
 */
export function rowsBySource(
  {slices}: Trace,
  sliceOf: Int32Array,
  kinds: readonly SliceKindSet[],
): (RowOfSource | null)[] {
  const tableOfKind = Uint8Array.from(sliceKinds, kind => 1 + kinds.findIndex(set => set.has(kind)));
  // Rows of other kinds count as a table 0 that nobody asks for.
  const most = new Float64Array(kinds.length + 1).fill(-1);
  const least = new Float64Array(kinds.length + 1).fill(Infinity);
  for (let row = 0; row < sliceOf.length; row++) {
    const table = tableOfKind[slices.kind[sliceOf[row]]];
    const source = slices.source[sliceOf[row]];
    if (source > most[table]) most[table] = source;
    if (source < least[table]) least[table] = source;
  }
  const mostDense = mostIdsPerRow * Math.max(sliceOf.length, 1024);
  const dense = Array.from(most, (last, table) => {
    const isDense = table > 0 && least[table] >= 0 && last >= 0 && last < mostDense;
    return isDense ? new Int32Array(last + 1).fill(-1) : null;
  });
  const sparse = dense.map(() => new Map<number, number>());
  for (let row = 0; row < sliceOf.length; row++) {
    const table = tableOfKind[slices.kind[sliceOf[row]]];
    if (table === 0) continue;
    const source = slices.source[sliceOf[row]];
    const rows = dense[table];
    if (rows) rows[source] = row;
    else sparse[table].set(source, row);
  }
  return kinds.map((_, at) => {
    const rows = dense[at + 1];
    const known = sparse[at + 1];
    if (rows) return rowid => (rowid >= 0 && rowid < rows.length ? rows[rowid] : -1);
    return known.size === 0 ? null : rowid => known.get(rowid) ?? -1;
  });
}
