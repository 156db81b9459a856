import {reportApiName} from '../names/api-name.js';
import {release} from '../table/table.js';
import type {Trace} from '../trace/trace.js';
import {combineGroups, TextGroups} from '../figures/group-index.js';
import {GroupedValues, groupSizes, type GroupStatistics} from '../figures/group-statistics.js';
import {kernelNameDetails} from './gpu-summaries.js';
import {processIdOf, threadIdOf} from './identity.js';
import {kernelNameOptions} from '../figures/kernel-names.js';
import type {Launches} from '../figures/launches.js';
import type {ReportInput} from '../figures/report-input.js';
import type {ReportDefinition, ReportRows} from './report.js';
import {numberColumn, spreadCells, spreadColumns, tally, textColumn} from './summary.js';

/** `cuda_kern_exec_sum`: how long kernels take to launch, queue and run. @see docs/metrics.md#cuda-kern-exec-sum */
export const kernelLaunchSummary: ReportDefinition = {
  id: 'cuda_kern_exec_sum',
  oldId: 'kernexecsum',
  title: 'CUDA Kernel Launch & Exec Time Summary',
  options: kernelNameOptions,
  details: kernelNameDetails,
  about: 'CUDA kernel and API data',
  columns: [
    numberColumn('PID', 'process that launched'),
    numberColumn('TID', 'thread that launched'),
    numberColumn('DevId', 'GPU that executed'),
    numberColumn('Count', 'number of pairs of a call and a kernel with its correlation id', tally),
    numberColumn('QCount', 'those of them whose kernel began after the call had returned'),
    ...spreadColumns('T', 'total time: call’s start to the later of both ends'),
    ...spreadColumns('A', 'API time: the call'),
    ...spreadColumns('Q', 'queue time: call’s end to kernel’s start, where that is not negative'),
    ...spreadColumns('K', 'kernel time'),
    textColumn('API Name', 'the call'),
    textColumn('Kernel Name', 'the kernel, demangled; its base or mangled name where that was asked for'),
  ],
  rows: kernelLaunchRows,
};

function kernelLaunchRows(input: ReportInput): ReportRows {
  const {trace} = input;
  const {slices, gpuOperations, apiCalls, strings} = trace;
  const {names: kernels, groupOf: kernelOf} = input.tables.kernels(input.options);
  const calls = new TextGroups();
  const callNameOf = calls.byNumber(strings.length, name => reportApiName(strings.get(name)));
  const {offsets, operations} = input.tables.launches;
  const keys = Array.from({length: 4}, () => new Int32Array(operations.length).fill(-1));
  const [track = new Int32Array(0), device = track, callName = track, kernelName = track] = keys;
  for (let call = 0; call < apiCalls.length; call++) {
    const slice = apiCalls.slice[call];
    for (let pair = offsets[call]; pair < offsets[call + 1]; pair++) {
      const operation = operations[pair];
      if (kernelOf[operation] < 0) continue;
      track[pair] = slices.track[slice];
      device[pair] = gpuOperations.device[operation];
      callName[pair] = callNameOf(slices.name[slice]);
      kernelName[pair] = kernelOf[operation];
    }
  }
  const groups = combineGroups(keys);
  const labels = groups.firstRow.map(pair => ({
    pid: processIdOf(trace, track[pair]),
    tid: threadIdOf(trace, track[pair]),
    device: device[pair],
    call: calls.texts[callName[pair]],
    kernel: kernels[kernelName[pair]],
  }));
  release(...keys);
  const sizes = groupSizes(groups);
  // Two of the four measures at a time, to limit memory: there may be millions of pairs.
  const [total, api] = timesOfPairs(trace, input.tables.launches, groups.groupOf, sizes, 'call');
  const [queue, run] = timesOfPairs(trace, input.tables.launches, groups.groupOf, sizes, 'kernel');
  release(groups.groupOf);
  const order = labels.map((_, group) => group).sort((a, b) => total.mean[b] - total.mean[a] || a - b);
  return {
    length: order.length,
    cells: row => {
      const group = order[row];
      const {pid, tid, device, call, kernel} = labels[group];
      const counts = [total.count[group], queue.count[group]];
      const spreads = [total, api, queue, run].flatMap(statistics => spreadCells(statistics, group));
      return [pid, tid, device, ...counts, ...spreads, call, kernel];
    },
  };
}

/**
 * Returns the times of each pair of a call and a kernel: the total and the call's time, or the queueing (unless the
 * kernel began before the call ended) and the kernel's time.
 *
 * @param sizes the number of pairs in each group
 */
function timesOfPairs(
  {slices, gpuOperations, apiCalls}: Trace,
  {offsets, operations}: Launches,
  groupOf: Int32Array,
  sizes: Int32Array,
  of: 'call' | 'kernel',
): [GroupStatistics, GroupStatistics] {
  const isOfCall = of === 'call';
  const [first, second] = [new GroupedValues(sizes), new GroupedValues(sizes)];
  for (let call = 0; call < apiCalls.length; call++) {
    const slice = apiCalls.slice[call];
    const callStartNs = slices.startNs[slice];
    const callEndNs = callStartNs + slices.durationNs[slice];
    for (let pair = offsets[call]; pair < offsets[call + 1]; pair++) {
      const group = groupOf[pair];
      if (group < 0) continue;
      const kernel = gpuOperations.slice[operations[pair]];
      const startNs = slices.startNs[kernel];
      if (isOfCall) {
        first.add(group, Math.max(callEndNs, startNs + slices.durationNs[kernel]) - callStartNs);
        second.add(group, callEndNs - callStartNs);
      } else {
        if (startNs >= callEndNs) first.add(group, startNs - callEndNs);
        second.add(group, slices.durationNs[kernel]);
      }
    }
  }
  return [first.takeStatistics(), second.takeStatistics()];
}
