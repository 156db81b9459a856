import {makeReports, parseReportRequest} from '../../src/core/reports/reports.js';
import {columnHeader, cellText, type Report} from '../../src/core/reports/report.js';
import {wholeTrace, type ReportScope} from '../../src/core/scope/report-scope.js';
import {detailKinds, noDetails, type ReportDetails} from '../../src/core/figures/report-details.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {loadReportDetails} from '../../src/importers/report-details.js';
import {openTrace} from '../../src/importers/open-trace.js';

/** Returns a report of a file, by its name with options. */
export async function reportOfFile(path: string, name: string): Promise<Report> {
  return first(await reportsOfFile(path, [name]));
}

/** Returns reports of a file that is opened once. */
export async function reportsOfFile(path: string, names: readonly string[]): Promise<Report[]> {
  const trace = await openTrace(path);
  const details = await loadReportDetails(path, trace, new Set(detailKinds));
  return makeReports(names.map(requestOf), {trace, details, scope: wholeTrace});
}

/** Returns a report of a trace without a file. */
export function reportOfTrace(
  trace: Trace,
  name: string,
  scope: ReportScope = wholeTrace,
  details: ReportDetails = noDetails,
): Report {
  return first(makeReports([requestOf(name)], {trace, details, scope}));
}

/** Returns the rows of a report as objects of texts by header, as in its CSV. */
export function textRows({columns, rows}: Report): Record<string, string>[] {
  return Array.from({length: rows.length}, (_, row) => {
    const cells = rows.cells(row);
    return Object.fromEntries(columns.map((column, at) => [columnHeader(column), cellText(cells[at] ?? null, column)]));
  });
}

function first([report]: Report[]): Report {
  if (!report) throw new Error('No report.');
  return report;
}

function requestOf(name: string): NonNullable<ReturnType<typeof parseReportRequest>> {
  const request = parseReportRequest(name);
  if (!request) throw new Error(`No such report: ${name}`);
  return request;
}
