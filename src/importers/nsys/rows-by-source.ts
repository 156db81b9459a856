import {sliceKinds, type SliceKindSet} from '../../core/trace/slices.js';
import type {Trace} from '../../core/trace/trace.js';

/** Returns our row for a row id of an nsys table; -1 for none. */
export type RowOfSource = (rowid: number) => number;

/** Files whose row ids far exceed their number use a map. */
const mostIdsPerRow = 8;

/**
 * Returns a lookup for each of `kindSets`: from the row id of the nsys table with slices of these kinds to our row.
 * Null if no row came from there.
 *
 * @param sliceOf maps our row to a row of the slices table
 */
export function rowsBySource(
  {slices}: Trace,
  sliceOf: Int32Array,
  kindSets: readonly SliceKindSet[],
): (RowOfSource | null)[] {
  // Rows of other kinds count as table 0, which has no lookup.
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
