import {callsByName} from '../figures/call-groups.js';
import type {ReportInput} from '../figures/report-input.js';
import {reportApiName} from '../names/api-name.js';
import {sortByStart} from '../table/sort.js';
import {kindIndex} from '../trace/slices.js';
import {callerCells, reportTimeNs} from './identity.js';
import {numberOrNull, type ReportDefinition, type ReportRows} from './report.js';
import {
  amount,
  callerColumns,
  durationColumns,
  numberColumn,
  statisticsRows,
  textColumn,
  timeColumn,
} from './summary.js';

/** TRACE_PROCESS_EVENT_VULKAN_API: the calls among the events. */
const callClass = 53;

/** `vulkan_api_sum`: Vulkan calls by name. @see docs/metrics.md#vulkan-api-sum */
export const vulkanSummary: ReportDefinition = {
  id: 'vulkan_api_sum',
  oldId: 'vulkanapisum',
  title: 'Vulkan API Summary',
  options: [],
  details: () => ['vulkanCalls'],
  about: 'Vulkan API trace data',
  columns: [
    ...durationColumns({of: 'calls', count: 'Num Calls'}),
    textColumn('Name', 'the call, without an ABI version of four digits', {role: 'name'}),
  ],
  rows: summaryRows,
};

/** `vulkan_api_trace`: each Vulkan call, by start. @see docs/metrics.md#vulkan-api-trace */
export const vulkanTrace: ReportDefinition = {
  id: 'vulkan_api_trace',
  oldId: 'vulkanapitrace',
  title: 'Vulkan API Trace',
  options: [],
  details: () => ['calls', 'vulkanCalls'],
  about: 'Vulkan API trace data',
  columns: [
    timeColumn('Start', 'when the call was made'),
    timeColumn('Duration', 'until it returned', amount),
    textColumn('Name', 'the call, as it stands in the file', {role: 'name'}),
    numberColumn('Event Class', 'nsys’s number of the sort of event: 53 is a call'),
    numberColumn('Context', 'the context of the trace'),
    numberColumn('CorrID', 'the number that it shares with other Vulkan events'),
    ...callerColumns,
  ],
  rows: traceRows,
};

function summaryRows(input: ReportInput): ReportRows {
  const {details, scope} = input;
  const {vulkanCalls} = details;
  const isCall = Uint8Array.from(scope.slices ?? new Uint8Array(input.trace.slices.length).fill(1));
  // A row without a class is a call.
  for (const [slice, {eventClass}] of vulkanCalls ?? []) {
    if (eventClass !== callClass && !Number.isNaN(eventClass)) isCall[slice] = 0;
  }
  const {names, statistics} = callsByName(
    {...input, scope: {...scope, slices: isCall}},
    ['vulkan_call'],
    reportApiName,
  );
  return statisticsRows(statistics, group => [names[group]]);
}

function traceRows({trace, details, scope}: ReportInput): ReportRows {
  const {slices, strings} = trace;
  const timeOf = reportTimeNs(trace);
  const rows = new Uint32Array(slices.length)
    .map((_, slice) => slice)
    .filter(
      slice => slices.kind[slice] === kindIndex.vulkan_call && (scope.slices === null || scope.slices[slice] === 1),
    );
  sortByStart(rows, slices.startNs);
  return {
    length: rows.length,
    cells: at => {
      const slice = rows[at];
      const track = slices.track[slice];
      const call = details.vulkanCalls?.get(slice);
      return [
        timeOf(slices.startNs[slice]),
        slices.durationNs[slice],
        strings.get(slices.name[slice]),
        ...[call?.eventClass, call?.context, call?.correlation].map(value => numberOrNull(value ?? NaN)),
        ...callerCells(trace, details, track),
      ];
    },
  };
}
