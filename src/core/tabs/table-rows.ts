import {typedPattern, type TimeLimit} from '../names/typed-pattern.js';
import {shownOrder} from './row-order.js';
import {sortRows, type SortKey} from './sort-rows.js';
import {columnHeader, type Cell, type Report, type ReportColumn} from '../reports/report.js';

/** Which rows of a table are wanted, and in which order. */
export interface RowFilter {
  /** Rows are kept whose texts contain it, whatever the case; "" keeps all. */
  readonly text: string;
  readonly isRegex: boolean;
  /** The first one decides, the next ones where it is equal; none keeps the order of the report. */
  readonly sort: readonly SortKey[];
}

/** The rows of a report that a filter keeps, in its order: a report again. */
export interface FilteredRows {
  /** Row of the report, in order. */
  readonly rows: readonly number[];
  /** The order that a column tells: see `shownOrder`. */
  readonly order: SortKey | null;
  /** Column → sum over these rows, null where a sum would say nothing. */
  readonly totals: readonly (number | null)[];
  /** Column → largest number of these rows, 0 where there is none: what a bar as wide as its cell stands for. */
  readonly maxima: readonly number[];
}

/**
 * Filters and sorts the rows of a report; `cells` are all of its rows. Numbers sort by value, texts by code unit, what
 * is absent comes last either way; equal rows keep their order.
 *
 * @param limit ends the search for a pattern that takes too long
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

/** Kept rows in another order. */
export function inOrder(
  kept: FilteredRows,
  cells: readonly (readonly Cell[])[],
  columns: readonly ReportColumn[],
  sort: readonly SortKey[],
): FilteredRows {
  const rows = sortRows(kept.rows, cells, placedSort(sort, columns.map(columnHeader)));
  return {...kept, rows, order: shownOrder(columns, cells, rows)};
}

/** The keys at the columns that a table has now: what is chosen may add columns and take them away. */
export function placedSort(sort: readonly SortKey[], headers: readonly string[]): SortKey[] {
  return sort.flatMap(key => {
    const {column, header} = key;
    // Of several columns of one title it is the one that stands where it stood.
    const at = header === undefined || headers.at(column) === header ? column : headers.indexOf(header);
    return at < 0 || at >= headers.length ? [] : [{...key, column: at}];
  });
}

/** A report of some rows of another, in another order. Lines below the table are of all rows: they go with all alone. */
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
