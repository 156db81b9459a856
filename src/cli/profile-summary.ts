import type {Summary, SummaryTable} from '../core/export/summary.js';
import {flameSvg} from '../core/flame/flame-export.js';
import type {FlameQuery} from '../core/flame/flame-graph.js';
import {formatCount} from '../core/format/count.js';
import {formatDuration, formatPercent} from '../core/format/duration.js';
import {flameGraph} from '../core/queries/flame.js';
import {traceInfo} from '../core/queries/info.js';
import {pointCounts} from '../core/queries/point-counts.js';
import {rangeRows, type RangeRow} from '../core/queries/ranges.js';
import {columnHeader} from '../core/stats/report.js';
import {displayText} from '../core/stats/report-text.js';
import {wholeTrace} from '../core/stats/report-source.js';
import {makeReports, parseReportRequest} from '../core/stats/reports.js';
import {loadReportDetails} from '../importers/report-details.js';
import {infoLines} from './info-lines.js';
import type {LoadedProfile} from './load-trace.js';

/** Longer tables are cut, and say so. */
const mostRows = 100;

/** What there is to say of a profile: its facts, the flame graph, ranges, and of the whole profile its kernels and copies. */
export async function profileSummary(profile: LoadedProfile, query: FlameQuery, name: string): Promise<Summary> {
  const {trace} = profile;
  const facts = infoLines({file: name, info: traceInfo(trace), points: pointCounts(trace)});
  const graph = flameGraph(trace, query);
  return {
    title: name,
    facts,
    tables: [
      rangesTable(rangeRows(trace, 'path', {selection: query.selection ?? {}})),
      ...(await reportTables(profile)),
    ],
    svg: graph.total > 0 ? flameSvg(graph) : null,
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

/** Reports with rows, those of `nsys stats`. */
async function reportTables({path, trace}: LoadedProfile): Promise<SummaryTable[]> {
  const requests = ['cuda_gpu_kern_sum', 'cuda_gpu_mem_time_sum', 'cuda_api_sum']
    .map(parseReportRequest)
    .filter(request => request !== null);
  const wanted = new Set(requests.flatMap(({definition, options}) => definition.details(options)));
  const details = await loadReportDetails(path, trace, wanted);
  return makeReports(requests, {trace, details, scope: wholeTrace})
    .filter(({rows}) => rows.length > 0)
    .map(({title, columns, rows}) => ({
      title,
      columns: columns.map(column => ({title: columnHeader(column), isNumeric: column.isText !== true})),
      length: rows.length,
      rows: Array.from({length: Math.min(rows.length, mostRows)}, (_, row) =>
        columns.map((column, at) => displayText(rows.cells(row)[at] ?? null, column)),
      ),
    }));
}
