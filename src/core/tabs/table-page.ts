import {say} from '../base/say.js';
import type {RangeStack} from '../attribution/range-stack.js';
import {formatCount} from '../format/count.js';
import type {Selection} from '../scope/selection.js';
import type {TimeLimit} from '../names/typed-pattern.js';
import {columnHeader, type Cell, type Report, type ReportColumn} from '../reports/report.js';
import {exactCell, shownCell} from './shown-cell.js';
import type {SortKey} from './sort-rows.js';
import {filterRows, inOrder, type FilteredRows, type RowFilter} from './table-rows.js';

/** The parameters of a table. */
export interface TableQuery {
  readonly tab: string;
  readonly selection: Selection;
  /** What counts as a range; the default if absent. */
  readonly stack?: RangeStack;
  readonly filter: RowFilter;
}

export interface PageColumn {
  /** As the profiler names it, with its unit; identifies the column. */
  readonly header: string;
  /** The same without the unit, which each number shows. */
  readonly title: string;
  readonly definition: string;
  readonly isText: boolean;
  /** Whether it names the row's subject. */
  readonly isName: boolean;
  /** Whether cells have a bar: a share of the largest number in the column. */
  readonly hasBar: boolean;
}

/** A row as displayed. */
export interface PageRow {
  /** The name of its subject, in whatever column; "" if there is none. */
  readonly name: string;
  /** The number of its step; null if it is not about a step. */
  readonly step: number | null;
  readonly texts: readonly string[];
  /** Column → the same with all digits; "" if these are no more. */
  readonly exact: readonly string[];
  /** Column → the width of its bar, from 0 to 1; 0 if it has none. */
  readonly bars: readonly number[];
  /** Whether its name was cut when it was printed. */
  readonly isCut: boolean;
  /** Whether it combines several names, which can be shown separately. */
  readonly isFolded: boolean;
}

/** Some rows of a table, with data on all rows. */
export interface TablePage {
  readonly title: string;
  readonly columns: readonly PageColumn[];
  /** The order of the rows if none was requested; null if they are not sorted by any column. */
  readonly order: SortKey | null;
  /** The column with the names of the rows' subjects; -1 if there is none. */
  readonly nameColumn: number;
  /** The number of rows without the filter. */
  readonly rowCount: number;
  /** The number of rows that the filter keeps. */
  readonly keptCount: number;
  /** The position of the first of `rows` among the kept rows. */
  readonly firstRow: number;
  readonly rows: readonly PageRow[];
  /** Column → the sum over all kept rows, "" if the column does not add up. */
  readonly totals: readonly string[];
  /** Column → the same with all digits; "" if these are no more. */
  readonly exactTotals: readonly string[];
  readonly footer: readonly string[];
}

/** All rows of a report, created once: sorting and filtering need every row. */
export interface ReadReport {
  readonly report: Report;
  readonly cells: readonly (readonly Cell[])[];
}

/** Returns a report with its rows, at most `most`: a table with a row per instance is not readable. */
export function readReport(report: Report, most = 500_000): ReadReport {
  const length = Math.min(most, report.rows.length);
  return {report, cells: Array.from({length}, (_, row) => report.rows.cells(row))};
}

/** Returns rows `firstRow` to `firstRow + count` of those that a filter keeps. */
export function tablePage(
  {report, cells}: ReadReport,
  {rows, order, totals, maxima}: FilteredRows,
  firstRow: number,
  count: number,
): TablePage {
  const {columns} = report;
  const hasBar = columns.map((column, at) => column.hasBar === true && maxima[at] > 0);
  const nameColumn = nameColumnOf(columns);
  const step = columns.findIndex(({role}) => role === 'step');
  return {
    title: report.title,
    columns: columns.map((column, at) => ({
      header: columnHeader(column),
      title: column.title,
      definition: column.definition,
      isText: column.isText === true,
      isName: column.role === 'name' || column.role === 'range',
      hasBar: hasBar[at],
    })),
    order,
    nameColumn,
    rowCount: cells.length,
    keptCount: rows.length,
    firstRow,
    rows: rows.slice(firstRow, firstRow + count).map(row => ({
      name: String(cells[row][nameColumn] ?? ''),
      step: numberIn(cells[row], step),
      texts: cells[row].map((cell, at) => shownCell(cell, columns[at])),
      exact: cells[row].map((cell, at) => moreExact(cell, columns[at])),
      bars: cells[row].map((cell, at) => (hasBar[at] && typeof cell === 'number' ? Math.max(0, cell) / maxima[at] : 0)),
      isCut: report.rows.isCut?.(row) ?? false,
      isFolded: report.rows.isFolded?.(row) ?? false,
    })),
    totals: totals.map((total, at) => (total === null ? '' : shownCell(total, columns[at]))),
    exactTotals: totals.map((total, at) => moreExact(total, columns[at])),
    footer: [...(report.rows.footer ?? []), ...cutNote(report.rows.length, cells.length)],
  };
}

/** Returns a number with all digits if the table shows fewer; otherwise "". */
function moreExact(cell: Cell, column: ReportColumn): string {
  const exact = exactCell(cell, column);
  return typeof cell !== 'number' || exact === shownCell(cell, column) ? '' : exact;
}

/** Returns the rows of a report that a filter keeps. @throws TraceError `search/bad-pattern` */
export function keptRows({report, cells}: ReadReport, filter: RowFilter, limit: TimeLimit): FilteredRows {
  return filterRows(cells, report.columns, filter, limit);
}

/** Returns the same rows in another order: neither the kept rows nor the sums depend on it. */
export function sortedRows({report, cells}: ReadReport, kept: FilteredRows, {sort}: RowFilter): FilteredRows {
  return inOrder(kept, cells, report.columns, sort);
}

/** Returns the note about omitted rows. */
function cutNote(length: number, kept: number): string[] {
  if (kept === length) return [];
  return [
    say(
      'the first {0} of {1} rows: select less of the profile, or "gpu-lens stats" has all',
      formatCount(kept),
      formatCount(length),
    ),
  ];
}

/**
 * Returns the column with the names of the rows' subjects; if none is marked, the last text column, because profilers
 * put names last.
 */
function nameColumnOf(columns: readonly ReportColumn[]): number {
  for (const role of ['name', 'range']) {
    const at = columns.findIndex(column => column.role === role);
    if (at >= 0) return at;
  }
  return columns.findLastIndex(({isText}) => isText === true);
}

/** Returns the number in a column; null if there is none. */
function numberIn(cells: readonly Cell[], column: number): number | null {
  const cell = cells.at(column);
  return column >= 0 && typeof cell === 'number' ? cell : null;
}
