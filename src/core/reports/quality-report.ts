import {externalIdAgreement} from '../attribution/attribution-notes.js';
import {autogradOperators} from '../attribution/autograd-operators.js';
import {insideNs} from '../attribution/chosen.js';
import {linkForwardOperators} from '../attribution/forward-operators.js';
import {attributionOf} from '../scope/attribution-of.js';
import {KeyedRows} from '../table/keyed-rows.js';
import {doubtfulOperations, doubts, type Doubt} from '../figures/doubtful-times.js';
import {kindIndex} from '../trace/slices.js';
import {launchesOf} from '../figures/launches.js';
import {onThreads, type RangeSet} from '../figures/range-set.js';
import {wholeTrace} from '../scope/report-scope.js';
import type {ReportInput} from '../figures/report-input.js';
import {hasNoEvents} from './empty-traces.js';
import {roundedToTenth, type Cell, type ReportDefinition, type ReportRows} from './report.js';
import {drawn, numberColumn, textColumn, timeColumn} from './summary.js';

/**
 * `data_quality`: how completely a file links work to its causes. Figures by range depend on it.
 *
 * @see docs/metrics.md#data-quality
 */
export const dataQuality: ReportDefinition = {
  id: 'data_quality',
  oldId: null,
  title: 'Data Quality',
  options: [],
  details: () => ['ranges', 'grids'],
  about: 'events',
  tabs: [{id: 'quality', title: 'Data quality', row: 'plain', after: 'ranks', group: 'Quality', isEmpty: hasNoEvents}],
  columns: [
    // Each row counts something else, so a sum would be meaningless.
    numberColumn('Count', 'how many there are; None where this profiler does not say'),
    numberColumn('Of', 'among how many'),
    {title: 'Share', unit: 'percent', decimals: 1, definition: 'Count ÷ Of'},
    timeColumn('Time', 'their durations, summed', drawn),
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
  const {trace, scope} = input;
  const {gpuOperations} = trace;
  const {copies, agreeing, disagreeing} = externalIdAgreement(trace, attributionOf(trace), scope.operations);
  const streams = new Set<string>();
  const devices = new Set(scope.operations === null ? trace.devices.map(({id}) => id) : []);
  let operations = 0;
  for (let row = 0; row < gpuOperations.length; row++) {
    if (scope.operations?.[row] === 0) continue;
    operations++;
    devices.add(gpuOperations.device[row]);
    streams.add(`${String(gpuOperations.device[row])} ${String(gpuOperations.stream[row])}`);
  }
  const counters: Counter[] = [
    ...launchCounters(input, operations),
    ...timeCounters(input, operations),
    ...assumedCounters(input),
    {what: 'GPU operations traced as whole graphs', ...graphCount(input), of: operations},
    ...rangeCounters(input),
    {
      what: 'External ids that name the operator around the launching call',
      count: agreeing,
      of: agreeing + disagreeing,
    },
    {what: 'External ids that are copies of correlation ids', count: copies, of: operations},
    {what: 'Slices of the profiler’s own overhead', ...overheadCount(input)},
    {what: 'Streams with GPU operations', count: streams.size},
    {what: 'Devices', count: devices.size},
  ];
  return {length: counters.length, cells: row => cellsOf(counters[row])};
}

function cellsOf({what, count, of, timeNs}: Counter): Cell[] {
  const share = count === null || of === undefined || of === 0 ? null : roundedToTenth((100 * count) / of);
  return [count, of ?? null, share, timeNs ?? null, what];
}

/** Calls that start GPU work, in any version of the API. */
const launchCall =
  /^(?:cuda|cu|hip)(?:Module|ExtModule|Ext)?(?:Launch(?!HostFunc)\w*|GraphLaunch\w*|Mem(?:cpy|set)\w*)$/;

function launchCounters(input: ReportInput, operations: number): Counter[] {
  const {trace, tables, scope} = input;
  const {slices, strings, apiCalls} = trace;
  // The operation that a call in scope launched may be out of scope: on another device, or after the window.
  const {offsets} = launchesOf({...input, scope: wholeTrace}, {hasGraphs: true});
  const {callOf} = tables.launchSites;
  const isLaunch = new Map<number, boolean>();
  let [unlaunched, launches, idle] = [0, 0, 0];
  callOf.forEach((call, operation) => {
    if (scope.operations?.[operation] === 0) return;
    if (call < 0) unlaunched++;
  });
  for (let call = 0; call < apiCalls.length; call++) {
    if (scope.slices?.[apiCalls.slice[call]] === 0) continue;
    const name = slices.name[apiCalls.slice[call]];
    if (!isLaunch.has(name)) isLaunch.set(name, launchCall.test(strings.get(name)));
    if (isLaunch.get(name) !== true) continue;
    launches++;
    if (offsets[call + 1] === offsets[call]) idle++;
  }
  return [
    {what: 'GPU operations without a launching call', count: unlaunched, of: operations},
    {what: 'Calls that launch, copy or set without a GPU operation', count: idle, of: launches},
    {what: 'Correlation ids that several calls of a process share', count: repeatedIds(input)},
  ];
}

const doubtTexts: Readonly<Record<Doubt, string>> = {
  'before-launch': 'GPU operations that start before their call',
  overlap: 'GPU operations that last beyond the start of the next on their stream',
  long: 'GPU operations over 100 times as long as nine in ten of their name and grid',
  'past-end': 'GPU operations that end after the recording',
};

function timeCounters({trace, scope, details}: ReportInput, of: number): Counter[] {
  const {slices, gpuOperations} = trace;
  const counters = new Map(doubts.map(doubt => [doubt, {what: doubtTexts[doubt], count: 0, of, timeNs: 0}]));
  for (const [operation, doubt] of doubtfulOperations(trace, details)) {
    const counter = counters.get(doubt);
    if (!counter || scope.operations?.[operation] === 0) continue;
    const slice = gpuOperations.slice[operation];
    counter.count++;
    counter.timeNs += insideNs(slices.startNs[slice], slices.durationNs[slice], scope);
  }
  return [...counters.values()];
}

function assumedCounters({trace, scope}: ReportInput): Counter[] {
  const isIn = (row: number) => scope.slices?.[row] !== 0;
  const operators = autogradOperators(trace);
  const {isAssumed} = linkForwardOperators(trace, operators);
  return [
    {
      what: 'Slices of which something was assumed',
      count: trace.assumed.filter(isIn).length,
      of: countIn(trace.slices.length, isIn),
    },
    {
      what: 'Backward operators whose forward thread was assumed',
      count: operators.slice.filter((row, operator) => isAssumed[operator] === 1 && isIn(row)).length,
      of: operators.slice.filter((row, operator) => operators.forwardThread[operator] > 0 && isIn(row)).length,
    },
  ];
}

function repeatedIds({trace: {apiCalls}, scope}: ReportInput): number {
  const byId = new KeyedRows(apiCalls.correlation, apiCalls.process);
  let repeated = 0;
  for (let slot = 0; slot + 1 < byId.offsets.length; slot++) {
    const calls = byId.rows.subarray(byId.offsets[slot], byId.offsets[slot + 1]);
    if (calls.length > 1 && calls.some(call => scope.slices?.[apiCalls.slice[call]] !== 0)) repeated++;
  }
  byId.release();
  return repeated;
}

function countIn(rows: number, isIn: (row: number) => boolean): number {
  let count = 0;
  for (let row = 0; row < rows; row++) if (isIn(row)) count++;
  return count;
}

function rangeCounters({details, tables, scope}: ReportInput): Counter[] {
  const ranges = onThreads(tables.ranges);
  const found = details.ranges;
  const open = found?.slice.filter((row, detail) => found.isOpen[detail] === 1 && scope.slices?.[row] !== 0).length;
  return [
    {what: 'Tagged ranges that never ended', count: open ?? null, of: tables.ranges.length},
    {what: 'Tagged ranges that overlap another of their thread without nesting', ...crossing(ranges)},
  ];
}

/** Counts ranges, in order of start on each track, that begin inside another and end after it. */
function crossing(ranges: RangeSet): {count: number; of: number} {
  let count = 0;
  let open: number[] = [];
  let openTrack = -1;
  for (let range = 0; range < ranges.length; range++) {
    if (ranges.trackOf(range) !== openTrack) open = [];
    openTrack = ranges.trackOf(range);
    while (open.length > 0 && (open.at(-1) ?? 0) <= ranges.startNs(range)) open.pop();
    // The remaining ranges nest, so the innermost open range ends first.
    const endNs = ranges.endNs(range);
    if ((open.at(-1) ?? Infinity) < endNs) count++;
    else open.push(endNs);
  }
  return {count, of: ranges.length};
}

function graphCount({trace: {slices, gpuOperations}, scope}: ReportInput): {count: number; timeNs: number} {
  let [count, timeNs] = [0, 0];
  gpuOperations.slice.forEach((slice, operation) => {
    if (slices.kind[slice] !== kindIndex.graph || scope.operations?.[operation] === 0) return;
    count++;
    timeNs += insideNs(slices.startNs[slice], slices.durationNs[slice], scope);
  });
  return {count, timeNs};
}

function overheadCount({trace: {slices}, scope}: ReportInput): {count: number; timeNs: number} {
  let [count, timeNs] = [0, 0];
  for (let slice = 0; slice < slices.length; slice++) {
    if (slices.kind[slice] !== kindIndex.overhead || scope.slices?.[slice] === 0) continue;
    count++;
    timeNs += insideNs(slices.startNs[slice], slices.durationNs[slice], scope);
  }
  return {count, timeNs};
}
