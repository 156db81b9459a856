import {combineGroups} from '../figures/group-index.js';
import {groupStatistics} from '../figures/group-statistics.js';
import type {ReportInput} from '../figures/report-input.js';
import {hasNoGpuWork} from './empty-traces.js';
import type {ReportDefinition, ReportRows} from './report.js';
import {numberColumn, spreadCells, spreadColumns} from './summary.js';

/** `launch_sum`: how long launches took to reach the GPU, and how many waited. @see docs/metrics.md#launch-sum */
export const launchSummary: ReportDefinition = {
  id: 'launch_sum',
  oldId: null,
  title: 'Launch Latency and Queue Summary',
  options: [],
  details: () => [],
  about: 'GPU operations with API calls',
  tabs: [{id: 'launches', title: 'Launches', row: 'plain', after: 'gpu-timeline', group: 'GPU', isEmpty: hasNoGpuWork}],
  columns: [
    numberColumn('DevId', 'GPU that executed'),
    numberColumn('Strm', 'CUDA stream'),
    numberColumn('Launches', 'launching calls: of a graph’s operations the first to start stands for its launch'),
    numberColumn(
      'Early',
      'launches whose operation starts before its call, by skew of clocks: their latency counts as 0',
    ),
    ...spreadColumns('Latency ', 'launch latency: call’s start to operation’s start'),
    ...spreadColumns('Delay ', 'queue delay: call’s end to operation’s start, 0 where it starts before that'),
    numberColumn('Max Depth', 'most launches that were called and not started at one time'),
    {
      ...numberColumn('Avg Depth', 'mean number of them from the first call to the last operation’s start'),
      decimals: 1,
    },
  ],
  rows: launchRows,
};

/** One row per launch: the first operation that a call started on a stream. Columns are of one length. */
interface StreamLaunches {
  readonly device: Int32Array;
  /** The index of the stream among those found. */
  readonly stream: Int32Array;
  readonly streams: readonly number[];
  readonly latencyNs: Float64Array;
  readonly delayNs: Float64Array;
  readonly calledNs: Float64Array;
  readonly startedNs: Float64Array;
  readonly isEarly: Uint8Array;
}

function launchRows(input: ReportInput): ReportRows {
  const launches = collectLaunches(input);
  const groups = combineGroups([launches.device, launches.stream]);
  const [latency, delay] = [launches.latencyNs, launches.delayNs].map(values => groupStatistics(values, groups));
  const early = new Int32Array(groups.length);
  const members = Array.from({length: groups.length}, () => new Array<number>());
  for (let launch = 0; launch < groups.groupOf.length; launch++) {
    early[groups.groupOf[launch]] += launches.isEarly[launch];
    members[groups.groupOf[launch]].push(launch);
  }
  const streamOf = (group: number) => launches.streams[launches.stream[groups.firstRow[group]]];
  const deviceOf = (group: number) => launches.device[groups.firstRow[group]];
  const order = groups.firstRow.map((_, group) => group);
  order.sort((a, b) => deviceOf(a) - deviceOf(b) || streamOf(a) - streamOf(b));
  return {
    length: order.length,
    cells: row => {
      const group = order[row];
      const {most, mean} = queueDepth(launches, members[group]);
      return [
        deviceOf(group),
        streamOf(group),
        latency.count[group],
        early[group],
        ...spreadCells(latency, group),
        ...spreadCells(delay, group),
        most,
        mean,
      ];
    },
  };
}

function collectLaunches({trace, scope, tables}: ReportInput): StreamLaunches {
  const {slices, gpuOperations, apiCalls} = trace;
  const {callOf} = tables.launchSites;
  const rows: number[] = [];
  const streams: number[] = [];
  const placeOf = new Map<number, number>();
  // Operations are sorted by start, so a call's first operation comes first.
  const isLaunched = new Uint8Array(apiCalls.length);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const call = callOf[operation];
    if (call < 0 || isLaunched[call] === 1) continue;
    isLaunched[call] = 1;
    if (scope.operations?.[operation] !== 0) rows.push(operation);
  }
  const launches = {
    device: Int32Array.from(rows, row => gpuOperations.device[row]),
    stream: Int32Array.from(rows, row => place(gpuOperations.stream[row])),
    streams,
    latencyNs: new Float64Array(rows.length),
    delayNs: new Float64Array(rows.length),
    calledNs: Float64Array.from(rows, row => slices.startNs[apiCalls.slice[callOf[row]]]),
    startedNs: Float64Array.from(rows, row => slices.startNs[gpuOperations.slice[row]]),
    isEarly: new Uint8Array(rows.length),
  };
  rows.forEach((row, launch) => {
    const latencyNs = launches.startedNs[launch] - launches.calledNs[launch];
    launches.isEarly[launch] = latencyNs < 0 ? 1 : 0;
    launches.latencyNs[launch] = Math.max(0, latencyNs);
    launches.delayNs[launch] = Math.max(0, latencyNs - slices.durationNs[apiCalls.slice[callOf[row]]]);
  });
  return launches;

  function place(stream: number): number {
    let at = placeOf.get(stream);
    if (at === undefined) placeOf.set(stream, (at = streams.push(stream) - 1));
    return at;
  }
}

/**
 * Returns the largest number of launches called but not started at one time, and the mean over time (null if no time
 * passed).
 */
function queueDepth(
  {calledNs, startedNs}: StreamLaunches,
  members: readonly number[],
): {most: number; mean: number | null} {
  const called = Float64Array.from(members, launch => Math.min(calledNs[launch], startedNs[launch])).sort();
  const started = Float64Array.from(members, launch => startedNs[launch]).sort();
  let most = 0;
  let waitedNs = 0;
  for (let call = 0, start = 0; call < called.length; call++) {
    while (started[start] <= called[call]) start++;
    most = Math.max(most, call + 1 - start);
    waitedNs += started[call] - called[call];
  }
  const lengthNs = started[started.length - 1] - called[0];
  return {most, mean: lengthNs > 0 ? Number((waitedNs / lengthNs).toFixed(1)) : null};
}
