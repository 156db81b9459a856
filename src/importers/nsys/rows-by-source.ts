import {sliceKinds, type SliceKindSet} from '../../core/trace/slices.js';
import type {Trace} from '../../core/trace/trace.js';

/** Row id of a table of nsys's → row of ours, -1 for none. */
export type RowOfSource = (rowid: number) => number;

/** Files with row ids far beyond their number are looked up in a map. */
const mostIdsPerRow = 8;

/**
 * One look-up for each of `kindSets`: row id of the table of nsys's that has slices of these kinds → row of ours. Null
 * where no row came from there.
 *
 * @param sliceOf row of ours → row of the slices table
 */
export function rowsBySource(
  {slices}: Trace,
  sliceOf: Int32Array,
  kindSets: readonly SliceKindSet[],
): (RowOfSource | null)[] {
  // Rows of other kinds count as a table 0 that nobody asks for.
  const tableOfKind = Uint8Array.from(sliceKinds, kind => 1 + kindSets.findIndex(kinds => kinds.has(kind)));
  const counts = new Float64Array(kindSets.length + 1);
  const least = new Float64Array(kindSets.length + 1).fill(Infinity);
  const most = new Float64Array(kindSets.length + 1).fill(-1);
  for (let row = 0; row < sliceOf.length; row++) {
    const table = tableOfKind[slices.kind[sliceOf[row]]];
    const source = slices.source[sliceOf[row]];
    counts[table]++;
    if (source > most[table]) most[table] = source;
    if (source < least[table]) least[table] = source;
  }
  const isDense = (table: number) =>
    table > 0 && least[table] >= 0 && most[table] < mostIdsPerRow * Math.max(counts[table], 1024);
  const dense = Array.from(counts, (_, table) => (isDense(table) ? new Int32Array(most[table] + 1).fill(-1) : null));
  const sparse = dense.map(() => new Map<number, number>());
  for (let row = 0; row < sliceOf.length; row++) {
    const table = tableOfKind[slices.kind[sliceOf[row]]];
    if (table === 0) continue;
    const source = slices.source[sliceOf[row]];
    const rows = dense[table];
    if (rows) rows[source] = row;
    else sparse[table].set(source, row);
  }
  return kindSets.map((_, at) => {
    if (counts[at + 1] === 0) return null;
    const rows = dense[at + 1];
    const known = sparse[at + 1];
    if (rows) return rowid => (rowid >= 0 && rowid < rows.length ? rows[rowid] : -1);
    return rowid => known.get(rowid) ?? -1;
  });
}
