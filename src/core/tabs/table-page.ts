import type {RangeStack} from '../attribution/range-stack.js';
import {formatCount} from '../format/count.js';
import type {Selection} from '../scope/selection.js';
import type {TimeLimit} from '../names/typed-pattern.js';
import {columnHeader, type Cell, type Report, type ReportColumn} from '../reports/report.js';
import {exactCell, shownCell} from './shown-cell.js';
import type {SortKey} from './sort-rows.js';
import {filterRows, inOrder, type FilteredRows, type RowFilter} from './table-rows.js';

/** What a table is asked for. */
export interface TableQuery {
  readonly tab: string;
  readonly selection: Selection;
  /** What counts as a range; as usual where absent. */
  readonly stack?: RangeStack;
  readonly filter: RowFilter;
}

export interface PageColumn {
  /** As the profiler names it, with its unit: tells it from others. */
  readonly header: string;
  /** The same without the unit, which each number has. */
  readonly title: string;
  readonly definition: string;
  readonly isText: boolean;
  /** Whether it names what a row is about. */
  readonly isName: boolean;
  /** Whether cells have a bar: a share of the largest number in the column. */
  readonly hasBar: boolean;
}

/** A row as it is shown. */
export interface PageRow {
  /** What it is about, wherever that stands in it; "" where nothing says so. */
  readonly name: string;
  /** The number of the step that it is about, null where it is about none. */
  readonly step: number | null;
  readonly texts: readonly string[];
  /** Column → the same with every digit; "" where that is no more. */
  readonly exact: readonly string[];
  /** Column → how wide its bar is, from 0 to 1; 0 where it has none. */
  readonly bars: readonly number[];
  /** Whether its name was cut when it was printed. */
  readonly isCut: boolean;
  /** Whether it stands for several names, which can be shown apart. */
  readonly isFolded: boolean;
}

/** Some rows of a table, and what is said of all of them. */
export interface TablePage {
  readonly title: string;
  readonly columns: readonly PageColumn[];
  /** The order in which rows stand where none was asked for; null for no order that a column tells. */
  readonly order: SortKey | null;
  /** The column that says what rows are about; -1 where none does. */
  readonly nameColumn: number;
  /** Rows of the table without a filter. */
  readonly rowCount: number;
  /** Rows that the filter keeps. */
  readonly keptCount: number;
  /** The place of the first of `rows` among those. */
  readonly firstRow: number;
  readonly rows: readonly PageRow[];
  /** Column → the sum over all rows that are kept, "" where columns do not add up. */
  readonly totals: readonly string[];
  /** Column → the same with every digit; "" where that is no more. */
  readonly exactTotals: readonly string[];
  readonly footer: readonly string[];
}

/** All rows of a report, made once: sorting and filtering need every one. */
export interface ReadReport {
  readonly report: Report;
  readonly cells: readonly (readonly Cell[])[];
}

/** A report with its rows, no more of them than `most`: what an instance makes a row of is no table for a person. */
export function readReport(report: Report, most = 500_000): ReadReport {
  const length = Math.min(most, report.rows.length);
  return {report, cells: Array.from({length}, (_, row) => report.rows.cells(row))};
}

/** Rows `firstRow` to `firstRow + count` of those that a filter has kept. */
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

/** A number with every digit where the table shows it with fewer; "" else. */
function moreExact(cell: Cell, column: ReportColumn): string {
  const exact = exactCell(cell, column);
  return typeof cell !== 'number' || exact === shownCell(cell, column) ? '' : exact;
}

/** The rows of a report that a filter keeps. @throws TraceError `search/bad-pattern` */
export function keptRows({report, cells}: ReadReport, filter: RowFilter, limit: TimeLimit): FilteredRows {
  return filterRows(cells, report.columns, filter, limit);
}

/** The same rows in another order: neither what is kept nor the sums depend on it. */
export function sortedRows({report, cells}: ReadReport, kept: FilteredRows, {sort}: RowFilter): FilteredRows {
  return inOrder(kept, cells, report.columns, sort);
}

/** What is said of rows that are not here. */
function cutNote(length: number, kept: number): string[] {
  if (kept === length) return [];
  return [
    `the first ${formatCount(kept)} of ${formatCount(length)} rows: select less of the profile, or "gpu-lens stats" has all`,
  ];
}

/** The column that says what rows are about; the last text where none says so: profilers put names last. */
function nameColumnOf(columns: readonly ReportColumn[]): number {
  for (const role of ['name', 'range']) {
    const at = columns.findIndex(column => column.role === role);
    if (at >= 0) return at;
  }
  return columns.findLastIndex(({isText}) => isText === true);
}

/** The number in a column; null where there is none. */
function numberIn(cells: readonly Cell[], column: number): number | null {
  const cell = cells.at(column);
  return column >= 0 && typeof cell === 'number' ? cell : null;
}
