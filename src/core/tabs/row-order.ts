import type {Cell, ReportColumn} from '../reports/report.js';
import type {SortKey} from './sort-rows.js';

/**
 * Returns the column by which rows stand in order already, so that its header can say so: of several the first with
 * times, else the first. Null where they stand in no order, and where there is nothing to tell it by.
 *
 * @param rows row numbers of `cells`, in the order that is shown
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

/** 1 where a column rises, -1 where it falls, 0 where it does neither, or is the same in all rows. */
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
