import {stackText} from '../attribution/range-stack.js';
import {apiGpuSummary, apiSummary, openaccSummary, openmpSummary, osRuntimeSummary} from './api-summaries.js';
import {apiTrace, gpuTrace} from './cuda-traces.js';
import {
  gpuSummaryReport,
  kernelClassSummary,
  kernelGridBlockSummary,
  kernelSummary,
  memorySizeSummary,
  memoryTimeSummary,
} from './gpu-summaries.js';
import {rooflineSummary, utilisationSummary} from './roofline-reports.js';
import {collectiveSummary, collectiveTrace} from './collective-reports.js';
import {compiledSummary} from './compiled-regions-report.js';
import {gpuTimeline} from './gpu-timeline.js';
import {gpuTimelineSteps} from './gpu-timeline-steps.js';
import {launchSummary} from './launch-delays.js';
import {keyAveragesReport} from './key-averages-report.js';
import {kernelLaunchSummary} from './kernel-launches.js';
import {kernelLaunchTrace} from './kernel-launch-trace.js';
import {memoryHeld, memorySummary} from './memory-reports.js';
import {rangeKernelSummary} from './nvtx-kernels.js';
import {moduleSummary} from './module-report.js';
import {pushPopSummary, rangeSummary, startEndSummary} from './nvtx-summaries.js';
import {projectionSummary, projectionTrace, pushPopTrace} from './nvtx-traces.js';
import {precisionSummary} from './precision-report.js';
import {dataQuality} from './quality-report.js';
import {rankSummary} from './rank-reports.js';
import {stepBreakdown} from './step-breakdown.js';
import {cpuPageFaultSummary, unifiedMemorySummary, unifiedMemoryTotals} from './unified-memory.js';
import {vulkanSummary, vulkanTrace} from './vulkan-reports.js';
import {ReportTables} from '../figures/report-tables.js';
import type {Report, ReportDefinition, ReportRows} from './report.js';
import type {ReportSource} from '../figures/report-source.js';

/** Every report, in the order in which help lists them. */
export const reportDefinitions: readonly ReportDefinition[] = [
  rangeSummary,
  pushPopSummary,
  pushPopTrace,
  startEndSummary,
  projectionSummary,
  projectionTrace,
  rangeKernelSummary,
  kernelSummary,
  kernelGridBlockSummary,
  gpuSummaryReport,
  kernelClassSummary,
  gpuTrace,
  memoryTimeSummary,
  memorySizeSummary,
  apiSummary,
  apiTrace,
  apiGpuSummary,
  kernelLaunchSummary,
  kernelLaunchTrace,
  osRuntimeSummary,
  openmpSummary,
  openaccSummary,
  vulkanSummary,
  vulkanTrace,
  launchSummary,
  gpuTimeline,
  gpuTimelineSteps,
  stepBreakdown,
  rankSummary,
  collectiveSummary,
  collectiveTrace,
  compiledSummary,
  moduleSummary,
  rooflineSummary,
  utilisationSummary,
  precisionSummary,
  memorySummary,
  memoryHeld,
  unifiedMemorySummary,
  unifiedMemoryTotals,
  cpuPageFaultSummary,
  keyAveragesReport,
  dataQuality,
];

/** A report that was requested: `cuda_gpu_kern_sum:base`. */
export interface ReportRequest {
  /** The name in the request. */
  readonly name: string;
  readonly definition: ReportDefinition;
  readonly options: readonly string[];
}

/**
 * Parses the name of a report with its options after colons. Accepts names of nsys up to 2022.4, too.
 *
 * Returns null if the report does not exist, or does not take an option.
 */
export function parseReportRequest(name: string): ReportRequest | null {
  const [id = '', ...options] = name.split(':');
  const definition = reportDefinitions.find(report => report.id === id || report.oldId === id);
  if (!definition || !options.every(option => takesOption(definition, option))) return null;
  return {name, definition, options};
}

/** Returns whether an option is one of a report's options, or an option with a number from 1: `group_by_stack_n=5`. */
function takesOption({options, numberOptions = []}: ReportDefinition, option: string): boolean {
  const [, word = ''] = /^(\w+)=[1-9]\d{0,5}$/.exec(option) ?? [];
  return options.includes(option) || numberOptions.includes(word);
}

/**
 * Makes reports from one source. Their rows are created on request.
 *
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function makeReports(requests: readonly ReportRequest[], source: ReportSource): Report[] {
  const {stack = {}, ...usual} = source;
  const chosen = stackText(stack);
  const isUsual = chosen === '';
  const usualTables = new ReportTables(usual);
  const tables = isUsual ? usualTables : new ReportTables(source);
  return requests.map(request => {
    if (isUsual || !isOfRanges(request)) return makeReport(request, usual, usualTables);
    const report = makeReport(request, source, tables);
    return {...report, rows: withFolded(report, tables), title: `${report.title} (${chosen})`};
  });
}

/** Returns the rows, marking those that stand for several names, if names are folded. */
function withFolded({columns, rows}: Report, tables: ReportTables): ReportRows {
  const range = columns.findIndex(({role}) => role === 'range');
  if (range < 0 || tables.foldedNames.size === 0) return rows;
  return {...rows, isFolded: row => tables.foldedNames.has(String(rows.cells(row)[range]))};
}

/** Returns whether a report depends on what counts as a range. */
export function isOfRanges({definition, options}: ReportRequest): boolean {
  return definition.isOfRanges === true || options.includes('nvtx-name');
}

function makeReport({name, definition, options}: ReportRequest, source: ReportSource, tables: ReportTables): Report {
  const rows = definition.rows({...source, tables, options});
  const {title, layout} = definition;
  const columns = definition.columnsWith?.(options) ?? definition.columns;
  return {name, title, columns, rows, ...(layout && {layout})};
}
