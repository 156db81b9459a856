import {processChoices, type ProcessChoice} from '../queries/processes.js';
import {otherRankSources, type OtherRank} from '../queries/other-ranks.js';
import {reportScope} from '../queries/report-scope.js';
import type {Selection} from '../queries/selection.js';
import {stepsOf} from '../queries/steps.js';
import {reportInput} from '../stats/report-input.js';
import type {DetailKind, ReportDetails} from '../stats/report-details.js';
import type {Report, ReportColumn, ReportRows} from '../stats/report.js';
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
  /** What a row is: decides where else it can be shown. Nothing of a `plain` row is elsewhere. */
  readonly row: 'range' | 'kernel' | 'operation' | 'call' | 'operator' | 'step' | 'plain';
  /** Title of the column with the row's name; the last text where absent: profilers put names last. */
  readonly nameColumn?: string;
  /** What the profile lacks where there is no row. */
  readonly about: string;
}

interface ReportTab extends TableTab {
  readonly report: string;
}

/** A report for each tab but those that are made from ranges. */
const reportTabs: readonly ReportTab[] = [
  {id: 'kernels', title: 'Kernels', row: 'kernel', about: 'CUDA kernels', report: 'cuda_gpu_kern_sum'},
  {id: 'kernel-grids', title: 'Kernels by grid', row: 'kernel', about: 'CUDA kernels', report: 'cuda_gpu_kern_gb_sum'},
  {id: 'kernel-classes', title: 'Kernel classes', row: 'plain', about: 'CUDA kernels', report: 'kernel_class_sum'},
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
  {
    id: 'memory-ranges',
    title: 'Memory',
    row: 'range',
    nameColumn: 'Range',
    about: 'memory events: record with profile_memory=True, or nsys --cuda-memory-usage=true',
    report: 'memory_sum',
  },
  {
    id: 'collectives',
    title: 'Collectives',
    row: 'plain',
    about: 'collective communication',
    report: 'collective_sum',
  },
  {
    id: 'compiled',
    title: 'Compiled regions',
    row: 'operator',
    nameColumn: 'Operator',
    about: 'work of compiled regions (torch.compile)',
    report: 'compiled_sum',
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
const breakdownTab: ReportTab = {
  id: 'step-breakdown',
  title: 'Step breakdown',
  row: 'step',
  about: 'steps',
  report: 'step_breakdown',
};
const qualityTab: ReportTab = {
  id: 'quality',
  title: 'Data quality',
  row: 'plain',
  about: 'events',
  report: 'data_quality',
};
const ranksTab: ReportTab = {id: 'ranks', title: 'Ranks', row: 'plain', about: 'GPU work', report: 'rank_sum'};
const textPrefix = 'text/';

/** The tables of a profile: the same for every trace, those of the text for a text. */
export function tableTabs(trace: Trace): TableTab[] {
  if (trace.textTables.length > 0) {
    return textReports(trace.textTables).map(({name, title}, at) => ({
      id: textPrefix + String(at),
      title: name,
      row: 'plain',
      about: title,
    }));
  }
  return [rangesTab, ...reportTabs, stepsTab, breakdownTab, ranksTab, qualityTab];
}

/** What can be chosen to narrow the tables. */
export interface TableChoices {
  readonly threads: readonly {readonly track: number; readonly name: string}[];
  readonly devices: readonly number[];
  readonly steps: readonly number[];
  /** How many steps there are: more than `steps` has where they are too many for a list. */
  readonly stepCount: number;
  readonly processes: readonly ProcessChoice[];
}

/** Threads, devices, steps and processes of a trace. More than this many steps are not listed. */
export function tableChoices(trace: Trace): TableChoices {
  const threads = trace.tracks.flatMap(({kind, name}, track) => (kind === 'thread' ? [{track, name}] : []));
  const steps = [...new Set(stepsOf(trace).map(({number}) => number))];
  return {
    threads,
    devices: trace.devices.map(({id}) => id),
    steps: steps.slice(0, mostSteps),
    stepCount: steps.length,
    processes: processChoices(trace),
  };
}

const mostSteps = 1000;

/** Whether a tab is of all ranks of a job: it also shows those whose files are open. */
export function needsOtherRanks(tab: string): boolean {
  return tab === ranksTab.id || tab === 'collectives';
}

/** Whether a tab shows the lines of kernels that torch.compile made. */
export function needsKernelLines(tab: string): boolean {
  return tab === 'compiled';
}

/** What must be read from the file for a tab besides the trace. */
export function tabDetails(tab: string): readonly DetailKind[] {
  const request = requestOf(tab);
  return request ? request.definition.details(request.options) : [];
}

/**
 * The report behind a tab. The kernels of a range are those of its own report: forward and backward apart.
 *
 * @param others files of other ranks, for a tab that `needsOtherRanks`
 * @param kernelLines lines of compiled kernels by name, for a tab that `needsKernelLines`
 * @throws TraceError `selection/no-match`, `trace/too-many-open-ranges`, `ranks/other-job`; RangeError for a tab that
 * there is not
 */
export function tableReport(
  trace: Trace,
  tab: string,
  selection: Selection,
  details: ReportDetails,
  others: readonly OtherRank[] = [],
  kernelLines: ReadonlyMap<string, readonly string[]> = new Map(),
): Report {
  if (tab.startsWith(textPrefix)) return textReports(trace.textTables)[textNumber(tab, trace)];
  if (tab === rangesTab.id) return reportOf('ranges', 'Ranges', rangeTableColumns, rangeTableRows(trace, selection));
  if (tab === stepsTab.id) return reportOf('steps', 'Steps', stepColumns, stepRows(trace, selection));
  const {range, ...narrowed} = selection;
  if (tab === 'kernels' && range !== undefined) {
    const input = reportInput({trace, details, scope: reportScope(trace, narrowed)});
    return reportOf('range_kernels', `Kernels of ${range}`, rangeKernelColumns, rangeKernelRows(input, range));
  }
  const request = requestOf(tab);
  if (!request) throw new RangeError(`There is no table "${tab}".`);
  const otherRanks = otherRankSources(trace, others, selection);
  const [report] = makeReports([request], {
    trace,
    details,
    scope: reportScope(trace, selection),
    otherRanks,
    kernelLines,
  });
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
  const report = [...reportTabs, breakdownTab, ranksTab, qualityTab].find(({id}) => id === tab)?.report;
  return report === undefined ? null : parseReportRequest(report);
}
