import {typedPattern, type TimeLimit} from '../names/typed-pattern.js';
import {shownOrder} from './row-order.js';
import {sortRows, type SortKey} from './sort-rows.js';
import {columnHeader, type Cell, type Report, type ReportColumn} from '../reports/report.js';

/** Which rows of a table are wanted, and in which order. */
export interface RowFilter {
  /** Keeps rows with this text, ignoring case; "" keeps all. */
  readonly text: string;
  readonly isRegex: boolean;
  /** The first key decides, further keys break ties; no keys keep the order of the report. */
  readonly sort: readonly SortKey[];
}

/** The rows of a report that a filter keeps, in order; again a report. */
export interface FilteredRows {
  /** Rows of the report, in order. */
  readonly rows: readonly number[];
  /** The column by which rows are sorted: see `shownOrder`. */
  readonly order: SortKey | null;
  /** Column → sum over these rows, null if a sum would be meaningless. */
  readonly totals: readonly (number | null)[];
  /** Column → largest number of these rows, 0 if there is none: the value of a bar across the whole cell. */
  readonly maxima: readonly number[];
}

/**
 * Filters and sorts the rows of a report; `cells` are all of its rows. Numbers sort by value, texts by code unit,
 * absent values last in either direction. The sort is stable.
 *
 * @param limit aborts the search for a pattern that takes too long
 * @throws TraceError `search/bad-pattern`
 */
export function filterRows(
  cells: readonly (readonly Cell[])[],
  columns: readonly ReportColumn[],
  filter: RowFilter,
  limit: TimeLimit,
): FilteredRows {
  const isKept = testOf(filter);
  const texts = columns.flatMap(({isText}, at) => (isText ? [at] : []));
  const find = () => {
    const found: number[] = [];
    for (let row = 0; row < cells.length; row++) {
      if (texts.length === 0 || texts.some(at => isKept(String(cells[row][at] ?? '')))) found.push(row);
    }
    return found;
  };
  const rows = filter.isRegex ? limit(filter.text, find) : find();
  return inOrder({rows, order: null, ...sumsOf(rows, cells, columns)}, cells, columns, filter.sort);
}

/** Returns the kept rows in another order. */
export function inOrder(
  kept: FilteredRows,
  cells: readonly (readonly Cell[])[],
  columns: readonly ReportColumn[],
  sort: readonly SortKey[],
): FilteredRows {
  const rows = sortRows(kept.rows, cells, placedSort(sort, columns.map(columnHeader)));
  return {...kept, rows, order: shownOrder(columns, cells, rows)};
}

/** Returns the keys for the current columns of a table: options may add and remove columns. */
export function placedSort(sort: readonly SortKey[], headers: readonly string[]): SortKey[] {
  return sort.flatMap(key => {
    const {column, header} = key;
    // If several columns have the same title, the one at the same position is taken.
    const at = header === undefined || headers.at(column) === header ? column : headers.indexOf(header);
    return at < 0 || at >= headers.length ? [] : [{...key, column: at}];
  });
}

/**
 * Returns a report with some rows of another, in another order. The footer describes all rows, so it is kept only with
 * all of them.
 */
export function reportOfRows(report: Report, rows: readonly number[]): Report {
  const {length, cells, isCut, isFolded, idle, footer} = report.rows;
  return {
    ...report,
    rows: {
      length: rows.length,
      cells: row => cells(rows[row]),
      ...(isCut && {isCut: row => isCut(rows[row])}),
      ...(isFolded && {isFolded: row => isFolded(rows[row])}),
      ...(idle && {idle}),
      ...(footer && rows.length === length && {footer}),
    },
  };
}

function sumsOf(
  rows: readonly number[],
  cells: readonly (readonly Cell[])[],
  columns: readonly ReportColumn[],
): Pick<FilteredRows, 'totals' | 'maxima'> {
  const totals = columns.map(({addsUp}): number | null => (addsUp ? 0 : null));
  const maxima = columns.map(() => 0);
  for (const row of rows) {
    for (let at = 0; at < columns.length; at++) {
      const cell = cells[row][at];
      if (typeof cell !== 'number') continue;
      const total = totals[at];
      if (total !== null) totals[at] = total + cell;
      if (cell > maxima[at]) maxima[at] = cell;
    }
  }
  return {totals, maxima};
}

function testOf({text, isRegex}: RowFilter): (name: string) => boolean {
  if (text === '') return () => true;
  if (!isRegex) {
    const wanted = text.toLowerCase();
    return name => name.toLowerCase().includes(wanted);
  }
  return typedPattern(text);
}
