import type {FilteredRows, RowFilter} from '../core/tables/table-rows.js';
import {
  keptReport,
  keptRows,
  readReport,
  tablePage,
  type ReadReport,
  type TablePage,
  type TableQuery,
} from '../core/tables/table-page.js';
import {tabDetails, tableReport} from '../core/tables/table-tabs.js';
import {reportsText, type ReportFormat} from '../core/stats/report-text.js';
import type {Trace} from '../core/trace/trace.js';
import {loadReportDetails} from '../importers/report-details.js';

/** Tables that are looked at are asked for again with every scroll; more than a few at once nobody looks at. */
const mostKept = 4;

interface Kept {
  readonly read: ReadReport;
  filtered: {readonly filter: string; readonly rows: FilteredRows} | null;
}

/** The tables of open traces: a report is made once for a selection, and filtered once for a filter. */
export class TableStore {
  readonly #kept = new WeakMap<Trace, Map<string, Kept>>();

  /** @throws TraceError `selection/…`, `file/…` */
  async page(path: string, trace: Trace, query: TableQuery, firstRow: number, count: number): Promise<TablePage> {
    const kept = await this.#report(path, trace, query);
    return tablePage(kept.read, filteredRows(kept, query.filter), firstRow, count);
  }

  /** The rows that the query keeps as a text. @throws TraceError `selection/…`, `file/…` */
  async text(path: string, trace: Trace, query: TableQuery, format: ReportFormat): Promise<string> {
    const {read} = await this.#report(path, trace, query);
    return [...reportsText([keptReport(read, query.filter)], format)].join('').trim() + '\n';
  }

  async #report(path: string, trace: Trace, {tab, selection}: TableQuery): Promise<Kept> {
    const known = this.#kept.get(trace) ?? new Map<string, Kept>();
    this.#kept.set(trace, known);
    const key = JSON.stringify([tab, selection]);
    let kept = known.get(key);
    if (!kept) {
      const details = await loadReportDetails(path, trace, new Set(tabDetails(tab)));
      kept = {read: readReport(tableReport(trace, tab, selection, details)), filtered: null};
    }
    // The one used last is the last to go.
    known.delete(key);
    known.set(key, kept);
    for (const oldest of known.keys()) if (known.size > mostKept) known.delete(oldest);
    return kept;
  }
}

function filteredRows(kept: Kept, filter: RowFilter): FilteredRows {
  const key = JSON.stringify(filter);
  if (kept.filtered?.filter !== key) kept.filtered = {filter: key, rows: keptRows(kept.read, filter)};
  return kept.filtered.rows;
}
