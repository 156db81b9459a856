import type {Cell, ReportColumn} from '../reports/report.js';
import type {SortKey} from './sort-rows.js';

/**
 * Returns the column by which rows are already sorted, so that its header can show it: the first column with times,
 * else the first column. Null if rows are not sorted by any column.
 *
 * @param rows row numbers of `cells`, in the displayed order
 */
export function shownOrder(
  columns: readonly ReportColumn[],
  cells: readonly (readonly Cell[])[],
  rows: readonly number[],
): SortKey | null {
  let first: SortKey | null = null;
  for (const [column, {unit}] of columns.entries()) {
    const direction = directionOf(cells, rows, column);
    if (direction === 0) continue;
    const key = {column, isDescending: direction < 0};
    if (unit === 'ns') return key;
    first ??= key;
  }
  return first;
}

/** Returns 1 if a column ascends, -1 if it descends, 0 if it does neither or is constant. */
function directionOf(cells: readonly (readonly Cell[])[], rows: readonly number[], column: number): -1 | 0 | 1 {
  let direction: -1 | 0 | 1 = 0;
  for (let at = 1; at < rows.length; at++) {
    const [before, after] = [cells[rows[at - 1]][column], cells[rows[at]][column]];
    if (before === null || after === null || typeof before !== typeof after) return 0;
    if (before === after) continue;
    const step = before < after ? 1 : -1;
    if (direction === -step) return 0;
    direction = step;
  }
  return direction;
}
