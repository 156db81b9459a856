import {compareRuns, type RunComparison} from '../../src/core/compare/run-comparison.js';
import {factQueries, find, plainCell} from '../../src/core/findings/find.js';
import type {FactValue} from '../../src/core/findings/rules/rule.js';
import {makeReports, reportDefinitions} from '../../src/core/reports/reports.js';
import type {Report} from '../../src/core/reports/report.js';
import {reportFormats, reportsText} from '../../src/core/reports/report-text.js';
import {reportScope} from '../../src/core/scope/report-scope.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {loadReportDetails} from '../../src/importers/report-details.js';
import {TraceDatabase} from '../../src/sql/trace-database.js';

/** Returns what is wrong with the answers to all queries on a damaged trace, or null. */
export async function answersFault(path: string, trace: Trace): Promise<string | null> {
  return (await reportsFault(path, trace)) ?? comparisonFault(trace) ?? findingsFault(trace);
}

/**
 * Checks that every report, with each of its options, can be written in each format, and contains no invalid number.
 */
async function reportsFault(path: string, trace: Trace): Promise<string | null> {
  const requests = reportDefinitions.flatMap(definition => {
    const names = [[], ...definition.options.map(option => [option])];
    return names.map(options => ({name: [definition.id, ...options].join(':'), definition, options}));
  });
  const kinds = new Set(requests.flatMap(({definition, options}) => definition.details(options)));
  const details = await loadReportDetails(path, trace, kinds);
  const reports = makeReports(requests, {trace, details, scope: reportScope(trace, {})});
  for (const report of reports) {
    const fault = cellFault(report);
    if (fault !== null) return `${report.name} ${fault}`;
  }
  for (const format of reportFormats) {
    const text = [...reportsText(reports, format)].join('');
    if (format === 'json') JSON.parse(text);
  }
  return null;
}

function cellFault({columns, rows}: Report): string | null {
  for (let row = 0; row < rows.length; row++) {
    const cells = rows.cells(row);
    if (cells.length !== columns.length) return `has ${String(cells.length)} cells in row ${String(row)}`;
    const at = cells.findIndex(cell => typeof cell === 'number' && !Number.isFinite(cell));
    if (at >= 0) return `has ${String(cells[at])} in row ${String(row)}, column ${columns[at]?.title ?? ''}`;
  }
  return null;
}

/** Checks that a run does not differ from itself, and that each kind of row has all of its work. */
function comparisonFault(trace: Trace): string | null {
  const run = {trace, sidecar: null, selection: {}};
  const {total, rows}: RunComparison = compareRuns(run, run);
  if (total.deltaNs !== 0 || total.verdict === 'slower' || total.verdict === 'faster') return 'differs from itself';
  const workNs = new Map<string, number>();
  for (const {kind, before, deltaNs, path} of rows) {
    if (deltaNs !== 0) return `row ${path} differs from itself by ${String(deltaNs)}`;
    workNs.set(kind, (workNs.get(kind) ?? 0) + before.gpuWorkNs);
  }
  for (const [kind, ns] of workNs) {
    if (Math.abs(ns - total.beforeNs) > 1e-6 * total.beforeNs) {
      return `compares ${String(ns)} of ${String(total.beforeNs)} ns by ${kind}`;
    }
  }
  return null;
}

/** Checks that every rule gets an answer from the database, and that every number of a finding is valid. */
function findingsFault(trace: Trace): string | null {
  const database = new TraceDatabase();
  try {
    const answers = new Map<string, FactValue>();
    for (const sql of factQueries()) {
      const query = database.prepare(sql);
      database.fill(trace, query, () => undefined);
      const [row] = query.statement.all() as (FactValue | bigint)[][];
      answers.set(sql, plainCell(row?.[0]));
    }
    for (const {rule, evidence, gainAtMostNs} of find(answers)) {
      const numbers = [...evidence.map(({value}) => value), gainAtMostNs ?? 0];
      const wrong = numbers.find(value => !Number.isFinite(value));
      if (wrong !== undefined) return `finding ${rule} says ${String(wrong)}`;
      if ((gainAtMostNs ?? 0) < 0) return `finding ${rule} can bring ${String(gainAtMostNs)} ns`;
    }
    return null;
  } finally {
    database.close();
  }
}
