import {basename} from 'node:path';
import {crc32} from 'node:zlib';
import type {OtherRank} from '../core/figures/other-ranks.js';
import {tableChart, type TableChart} from '../core/tabs/table-chart.js';
import {reportOfRows, type FilteredRows, type RowFilter} from '../core/tabs/table-rows.js';
import {
  keptRows,
  readReport,
  sortedRows,
  tablePage,
  type ReadReport,
  type TablePage,
  type TableQuery,
} from '../core/tabs/table-page.js';
import {tabDetails, tableReport} from '../core/tabs/table-tabs.js';
import {reportsText, type ReportFormat} from '../core/reports/report-text.js';
import {kernelLines, type KernelSite} from '../core/source/sidecar.js';
import type {ModuleClasses} from '../core/source/module-forward.js';
import type {Trace} from '../core/trace/trace.js';
import {loadReportDetails} from '../importers/report-details.js';
import {withTimeLimit} from './time-limit.js';

/** Visible tables are requested again with every scroll; nobody looks at more than a few at once. */
const mostKept = 4;

/** A profile, and the file that its trace was read from. */
export interface TracedFile {
  readonly path: string;
  readonly trace: Trace;
}

/** The input of tables. */
export interface TableSource {
  readonly file: TracedFile;
  /** Files of other ranks of its job, for tables of all ranks. */
  readonly otherRanks: readonly TracedFile[];
  /** Lines of compiled kernels, for the tables that show them. */
  readonly kernels: readonly KernelSite[];
  /** Classes of modules, for the tables that show them. */
  readonly moduleClasses: ModuleClasses;
}

interface Kept {
  readonly read: ReadReport;
  /** The rows that the last filter keeps, in the report's order and in the filter's order. */
  filtered: {
    readonly filter: string;
    readonly kept: FilteredRows;
    readonly order: string;
    readonly rows: FilteredRows;
  } | null;
}

/** The tables of open traces. A report is made once per selection, and filtered once per filter. */
export class TableStore {
  readonly #kept = new WeakMap<Trace, Map<string, Kept>>();

  /** @throws TraceError `selection/…`, `file/…` */
  async page(source: TableSource, query: TableQuery, firstRow: number, count: number): Promise<TablePage> {
    const kept = await this.#report(source, query);
    return tablePage(kept.read, filteredRows(kept, query.filter), firstRow, count);
  }

  /** Returns a column of the filtered rows as bars. @throws TraceError `selection/…`, `file/…` */
  async chart(source: TableSource, query: TableQuery, column: number): Promise<TableChart> {
    const kept = await this.#report(source, query);
    return tableChart(kept.read, filteredRows(kept, query.filter), column);
  }

  /** Returns the filtered rows as text. @throws TraceError `selection/…`, `file/…` */
  async text(source: TableSource, query: TableQuery, format: ReportFormat): Promise<string> {
    const kept = await this.#report(source, query);
    const report = reportOfRows(kept.read.report, filteredRows(kept, query.filter).rows);
    return [...reportsText([report], format)].join('').trim() + '\n';
  }

  async #report(
    {file, otherRanks, kernels, moduleClasses}: TableSource,
    {tab, selection, stack = {}}: TableQuery,
  ): Promise<Kept> {
    const {trace} = file;
    const known = this.#kept.get(trace) ?? new Map<string, Kept>();
    this.#kept.set(trace, known);
    const key = JSON.stringify([
      tab,
      selection,
      stack,
      otherRanks.map(({path}) => path),
      crc32(JSON.stringify([kernels, moduleClasses])),
    ]);
    let kept = known.get(key);
    if (!kept) {
      const wanted = new Set(tabDetails(tab));
      const details = await loadReportDetails(file.path, trace, wanted);
      const others: OtherRank[] = [];
      for (const {path, trace: other} of otherRanks) {
        others.push({name: basename(path), trace: other, details: await loadReportDetails(path, other, wanted)});
      }
      kept = {
        read: readReport(
          tableReport(trace, tab, selection, details, {
            others,
            kernelLines: kernelLines({kernels}),
            moduleClasses,
            stack,
          }),
        ),
        filtered: null,
      };
    }
    // The most recently used is dropped last.
    known.delete(key);
    known.set(key, kept);
    for (const oldest of known.keys()) if (known.size > mostKept) known.delete(oldest);
    return kept;
  }
}

function filteredRows(table: Kept, filter: RowFilter): FilteredRows {
  const unsorted = {...filter, sort: []};
  const [wanted, order] = [JSON.stringify(unsorted), JSON.stringify(filter.sort)];
  const known = table.filtered?.filter === wanted ? table.filtered : null;
  if (known?.order === order) return known.rows;
  const kept = known?.kept ?? keptRows(table.read, unsorted, withTimeLimit);
  const rows = filter.sort.length === 0 ? kept : sortedRows(table.read, kept, filter);
  table.filtered = {filter: wanted, kept, order, rows};
  return rows;
}
