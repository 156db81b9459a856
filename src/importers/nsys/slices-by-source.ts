import type {Trace} from '../../core/trace/trace.js';

/** Returns the slices of a kind by their `source`. */
export function slicesBySource({slices}: Trace, kind: number): Map<number, number> {
  const rows = new Map<number, number>();
  for (let row = 0; row < slices.length; row++) if (slices.kind[row] === kind) rows.set(slices.source[row] ?? -1, row);
  return rows;
}
