import type {Summary, SummaryTable} from '../core/export/summary.js';
import {flameSvg} from '../core/flame/flame-svg.js';
import type {FlameGraph} from '../core/flame/flame-graph.js';
import {selectionTexts} from '../core/flame/flame-root.js';
import {formatCount} from '../core/format/count.js';
import {formatDuration, formatPercent} from '../core/format/duration.js';
import {traceInfo} from '../core/questions/info.js';
import {pointCounts} from '../core/questions/point-counts.js';
import {rangeRows, type RangeRow} from '../core/figures/range-rows.js';
import {reportScope} from '../core/scope/report-scope.js';
import type {Selection} from '../core/scope/selection.js';
import {columnHeader, type Report} from '../core/reports/report.js';
import {displayText} from '../core/reports/report-text.js';
import {makeReports, parseReportRequest} from '../core/reports/reports.js';
import {textReports} from '../core/reports/text-reports.js';
import {loadReportDetails} from '../importers/report-details.js';
import {infoLines} from './info-lines.js';
import type {LoadedProfile} from './load-trace.js';

/** Longer tables are cut, and say so. */
const mostRows = 100;

/**
 * What there is to say of a profile: its facts, the flame graph, ranges, kernels, copies and calls of a selection; of a
 * text, its tables.
 *
 * @param graph of the same selection; null for a text
 * @throws TraceError `selection/no-match`
 */
export async function profileSummary(
  profile: LoadedProfile,
  graph: FlameGraph | null,
  selection: Selection,
  name: string,
): Promise<Summary> {
  const {trace} = profile;
  const facts = infoLines({file: name, info: traceInfo(trace), points: pointCounts(trace)});
  if (!graph) return {title: name, facts, tables: textReports(trace.textTables).map(summaryTable), picture: null};
  const selected = selectionTexts(selection).join(' · ');
  return {
    title: name,
    facts: selected === '' ? facts : [...facts, ['Selection', `${selected}: flame graph and tables are of it alone`]],
    tables: [
      rangesTable(rangeRows(trace, 'path', {selection})),
      ...(await selectedReports(profile, selection)).filter(({rows}) => rows.length > 0).map(summaryTable),
    ],
    picture: graph.total > 0 ? {title: 'Flame graph', svg: flameSvg(graph)} : null,
  };
}

function rangesTable(rows: readonly RangeRow[]): SummaryTable {
  const workNs = rows.reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
  const titles = [
    'Count',
    'GPU work',
    'Of all',
    'GPU self',
    'GPU busy',
    'Backward GPU work',
    'CPU wall',
    'GPU operations',
  ];
  return {
    title: 'Ranges',
    columns: [{title: 'Range', isNumeric: false}, ...titles.map(title => ({title, isNumeric: true}))],
    length: rows.length,
    rows: rows
      .slice(0, mostRows)
      .map(row => [
        row.path ?? row.name,
        formatCount(row.count),
        formatDuration(row.gpuWorkNs),
        formatPercent(row.gpuWorkNs, workNs),
        formatDuration(row.gpuSelfNs),
        formatDuration(row.gpuBusyNs),
        formatDuration(row.backwardGpuWorkNs),
        formatDuration(row.cpuWallNs),
        formatCount(row.ops),
      ]),
  };
}

/** Reports of `nsys stats`. */
async function selectedReports({path, trace}: LoadedProfile, selection: Selection): Promise<Report[]> {
  const requests = ['cuda_gpu_kern_sum', 'cuda_gpu_mem_time_sum', 'cuda_api_sum']
    .map(parseReportRequest)
    .filter(request => request !== null);
  const wanted = new Set(requests.flatMap(({definition, options}) => definition.details(options)));
  const details = await loadReportDetails(path, trace, wanted);
  return makeReports(requests, {trace, details, scope: reportScope(trace, selection)});
}

function summaryTable({title, columns, rows}: Report): SummaryTable {
  return {
    title,
    columns: columns.map(column => ({title: columnHeader(column), isNumeric: column.isText !== true})),
    length: rows.length,
    rows: Array.from({length: Math.min(rows.length, mostRows)}, (_, row) =>
      columns.map((column, at) => displayText(rows.cells(row)[at] ?? null, column)),
    ),
  };
}
