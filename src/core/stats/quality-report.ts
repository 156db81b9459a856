import {externalIdAgreement} from '../attribution/attribution-notes.js';
import {attributionOf} from '../queries/ranges.js';
import {KeyedRows} from '../table/keyed-rows.js';
import {kindIndex, type SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {onThreads, type RangeSet} from './range-set.js';
import {roundedToTenth, type Cell, type ReportDefinition, type ReportInput, type ReportRows} from './report.js';
import {numberColumn, textColumn, timeColumn} from './summary.js';

/**
 * `data_quality`: how well a file says who did what. A figure by range is as good as these are.
 *
 * @see docs/metrics.md#data-quality
 */
export const dataQuality: ReportDefinition = {
  id: 'data_quality',
  oldId: null,
  title: 'Data Quality',
  options: [],
  details: () => ['ranges'],
  about: 'events',
  columns: [
    numberColumn('Count', 'how many there are; None where this profiler does not say'),
    numberColumn('Of', 'among how many'),
    {title: 'Share', unit: 'percent', decimals: 1, definition: 'Count ÷ Of'},
    timeColumn('Time', 'their durations, summed'),
    textColumn('What', 'what is counted'),
  ],
  rows: qualityRows,
};

interface Counter {
  readonly what: string;
  readonly count: number | null;
  readonly of?: number;
  readonly timeNs?: number;
}

function qualityRows(input: ReportInput): ReportRows {
  const {gpuOperations, devices} = input.trace;
  const {copies, agreeing, disagreeing} = externalIdAgreement(input.trace, attributionOf(input.trace));
  const streams = new Set(
    Array.from(gpuOperations.stream, (stream, row) => `${String(gpuOperations.device[row])} ${String(stream)}`),
  );
  const counters: Counter[] = [
    ...launchCounters(input),
    {what: 'GPU operations traced as whole graphs', ...kindCount(input.trace, 'graph', gpuOperations.length)},
    ...rangeCounters(input),
    {
      what: 'External ids that name the operator around the launching call',
      count: agreeing,
      of: agreeing + disagreeing,
    },
    {what: 'External ids that are copies of correlation ids', count: copies, of: gpuOperations.length},
    {what: 'Slices of the profiler’s own overhead', ...kindCount(input.trace, 'overhead')},
    {what: 'Streams with GPU operations', count: streams.size},
    {what: 'Devices', count: devices.length},
  ];
  return {length: counters.length, cells: row => cellsOf(counters[row])};
}

function cellsOf({what, count, of, timeNs}: Counter): Cell[] {
  const share = count === null || of === undefined || of === 0 ? null : roundedToTenth((100 * count) / of);
  return [count, of ?? null, share, timeNs ?? null, what];
}

/** Calls that make the GPU do something, whatever the version of the API. */
const launchCall =
  /^(?:cuda|cu|hip)(?:Module|ExtModule|Ext)?(?:Launch(?!HostFunc)\w*|GraphLaunch\w*|Mem(?:cpy|set)\w*)$/;

function launchCounters({trace, tables}: ReportInput): Counter[] {
  const {slices, strings, gpuOperations, apiCalls} = trace;
  const {offsets} = tables.launches;
  const {callOf} = tables.launchSites;
  const isLaunch = new Map<number, boolean>();
  let [unlaunched, early, launches, idle] = [0, 0, 0, 0];
  callOf.forEach((call, operation) => {
    if (call < 0) unlaunched++;
    else if (slices.startNs[gpuOperations.slice[operation]] < slices.startNs[apiCalls.slice[call]]) early++;
  });
  for (let call = 0; call < apiCalls.length; call++) {
    const name = slices.name[apiCalls.slice[call]];
    if (!isLaunch.has(name)) isLaunch.set(name, launchCall.test(strings.get(name)));
    if (isLaunch.get(name) !== true) continue;
    launches++;
    if (offsets[call + 1] === offsets[call]) idle++;
  }
  return [
    {what: 'GPU operations without a launching call', count: unlaunched, of: gpuOperations.length},
    {what: 'GPU operations that start before their call', count: early, of: gpuOperations.length},
    {what: 'Calls that launch, copy or set without a GPU operation', count: idle, of: launches},
    {what: 'Correlation ids that several calls of a process share', count: repeatedIds(trace)},
  ];
}

function repeatedIds({apiCalls}: Trace): number {
  const byId = new KeyedRows(apiCalls.correlation, apiCalls.process);
  let repeated = 0;
  for (let slot = 0; slot + 1 < byId.offsets.length; slot++) {
    if (byId.offsets[slot + 1] - byId.offsets[slot] > 1) repeated++;
  }
  byId.release();
  return repeated;
}

function rangeCounters({details, tables}: ReportInput): Counter[] {
  const ranges = onThreads(tables.ranges);
  const open = details.ranges?.isOpen.reduce((sum, isOpen) => sum + isOpen, 0) ?? null;
  return [
    {what: 'Tagged ranges that never ended', count: open, of: tables.ranges.length},
    {what: 'Tagged ranges that overlap another of their thread without nesting', ...crossing(ranges)},
  ];
}

/** Ranges, in order of start on each track, that begin inside another and end after it. */
function crossing({length, track, startNs, endNs}: RangeSet): {count: number; of: number} {
  let count = 0;
  let open: number[] = [];
  for (let range = 0; range < length; range++) {
    if (range > 0 && track[range] !== track[range - 1]) open = [];
    while (open.length > 0 && (open.at(-1) ?? 0) <= startNs[range]) open.pop();
    // What was not counted nests, so the innermost open range ends first.
    if ((open.at(-1) ?? Infinity) < endNs[range]) count++;
    else open.push(endNs[range]);
  }
  return {count, of: length};
}

function kindCount({slices}: Trace, kind: SliceKind, of?: number): {count: number; of?: number; timeNs: number} {
  let count = 0;
  let timeNs = 0;
  for (let slice = 0; slice < slices.length; slice++) {
    if (slices.kind[slice] !== kindIndex[kind]) continue;
    count++;
    timeNs += slices.durationNs[slice];
  }
  return {count, timeNs, ...(of !== undefined && {of})};
}
