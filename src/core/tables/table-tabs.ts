import {reportScope} from '../queries/report-scope.js';
import type {Selection} from '../queries/selection.js';
import {stepsOf} from '../queries/steps.js';
import {ReportTables} from '../stats/report-tables.js';
import type {DetailKind, ReportDetails} from '../stats/report-details.js';
import type {Report, ReportColumn, ReportInput, ReportRows} from '../stats/report.js';
import {makeReports, parseReportRequest, type ReportRequest} from '../stats/reports.js';
import {textReports} from '../text-reports/text-reports.js';
import type {Trace} from '../trace/trace.js';
import {rangeKernelColumns, rangeKernelRows} from './range-kernels.js';
import {rangeTableColumns, rangeTableRows, stepColumns, stepRows} from './range-table.js';

/** One table of the view. */
export interface TableTab {
  /** Of a text: `text/` and the number of the table. */
  readonly id: string;
  readonly title: string;
  /** What a row is: decides what can be done with it. */
  readonly row: 'range' | 'kernel' | 'operation' | 'call' | 'operator' | 'step' | 'printed';
  /** What the profile lacks where there is no row. */
  readonly about: string;
}

/** A report for each tab but those that are made from ranges. */
const reportTabs: readonly (TableTab & {readonly report: string})[] = [
  {id: 'kernels', title: 'Kernels', row: 'kernel', about: 'CUDA kernels', report: 'cuda_gpu_kern_sum'},
  {id: 'kernel-grids', title: 'Kernels by grid', row: 'kernel', about: 'CUDA kernels', report: 'cuda_gpu_kern_gb_sum'},
  {id: 'operators', title: 'Operators', row: 'operator', about: 'PyTorch operators', report: 'key_averages'},
  {id: 'api', title: 'CUDA API', row: 'call', about: 'CUDA API calls', report: 'cuda_api_sum'},
  {
    id: 'memory',
    title: 'Memory operations',
    row: 'operation',
    about: 'copies and memsets',
    report: 'cuda_gpu_mem_time_sum',
  },
  {
    id: 'memory-size',
    title: 'Memory sizes',
    row: 'operation',
    about: 'copies and memsets',
    report: 'cuda_gpu_mem_size_sum',
  },
  {id: 'os', title: 'OS runtime', row: 'call', about: 'OS runtime calls', report: 'osrt_sum'},
];

const rangesTab: TableTab = {
  id: 'ranges',
  title: 'Ranges',
  row: 'range',
  about: 'tagged ranges (NVTX, record_function)',
};
const stepsTab: TableTab = {id: 'steps', title: 'Steps', row: 'step', about: 'steps'};
const textPrefix = 'text/';

/** The tables of a profile: the same for every trace, those of the text for a text. */
export function tableTabs(trace: Trace): TableTab[] {
  if (trace.textTables.length > 0) {
    return textReports(trace.textTables).map(({name, title}, at) => ({
      id: textPrefix + String(at),
      title: name,
      row: 'printed',
      about: title,
    }));
  }
  return [rangesTab, ...reportTabs.map(({id, title, row, about}) => ({id, title, row, about})), stepsTab];
}

/** What can be chosen to narrow the tables. */
export interface TableChoices {
  readonly threads: readonly {readonly track: number; readonly name: string}[];
  readonly devices: readonly number[];
  readonly steps: readonly number[];
}

/** Threads, devices and steps of a trace. More than this many steps are not listed. */
export function tableChoices(trace: Trace): TableChoices {
  const threads = trace.tracks.flatMap(({kind, name}, track) => (kind === 'thread' ? [{track, name}] : []));
  const steps = [...new Set(stepsOf(trace).map(({number}) => number))].slice(0, mostSteps);
  return {threads, devices: trace.devices.map(({id}) => id), steps};
}

const mostSteps = 1000;

/** What must be read from the file for a tab besides the trace. */
export function tabDetails(tab: string): readonly DetailKind[] {
  const request = requestOf(tab);
  return request ? request.definition.details(request.options) : [];
}

/**
 * The report behind a tab. The kernels of a range are those of its own report: forward and backward apart.
 *
 * @throws TraceError `selection/no-match`, `trace/too-many-open-ranges`; RangeError for a tab that there is not
 */
export function tableReport(trace: Trace, tab: string, selection: Selection, details: ReportDetails): Report {
  if (tab.startsWith(textPrefix)) return textReports(trace.textTables)[textNumber(tab, trace)];
  if (tab === rangesTab.id) return reportOf('ranges', 'Ranges', rangeTableColumns, rangeTableRows(trace, selection));
  if (tab === stepsTab.id) return reportOf('steps', 'Steps', stepColumns, stepRows(trace, selection));
  const {range, ...others} = selection;
  if (tab === 'kernels' && range !== undefined) {
    const input = inputOf(trace, others, details);
    return reportOf('range_kernels', `Kernels of ${range}`, rangeKernelColumns, rangeKernelRows(input, range));
  }
  const request = requestOf(tab);
  if (!request) throw new RangeError(`There is no table "${tab}".`);
  const [report] = makeReports([request], {trace, details, scope: reportScope(trace, selection)});
  return report;
}

function textNumber(tab: string, trace: Trace): number {
  const at = Number(tab.slice(textPrefix.length));
  if (!Number.isInteger(at) || at < 0 || at >= trace.textTables.length) throw new RangeError('There is no such table.');
  return at;
}

function reportOf(name: string, title: string, columns: readonly ReportColumn[], rows: ReportRows): Report {
  return {name, title, columns, rows};
}

function requestOf(tab: string): ReportRequest | null {
  const report = reportTabs.find(({id}) => id === tab)?.report;
  return report === undefined ? null : parseReportRequest(report);
}

function inputOf(trace: Trace, selection: Selection, details: ReportDetails): ReportInput {
  const source = {trace, details, scope: reportScope(trace, selection)};
  return {...source, tables: new ReportTables(source), options: []};
}
