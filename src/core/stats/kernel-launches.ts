import {reportApiName} from '../format/api-name.js';
import {release} from '../table/table.js';
import {combineGroups, TextGroups} from './group-index.js';
import {groupStatistics} from './group-statistics.js';
import {kernelNameDetails} from './gpu-summaries.js';
import {processIdOf, threadIdOf} from './identity.js';
import {kernelNameOptions} from './kernel-names.js';
import type {ReportDefinition, ReportInput, ReportRows} from './report.js';
import {numberColumn, spreadCells, spreadColumns, textColumn} from './summary.js';

/** `cuda_kern_exec_sum`: launching, waiting and running of kernels. @see docs/metrics.md#cuda-kern-exec-sum */
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
    numberColumn('Count', 'number of pairs of a call and a kernel with its correlation id'),
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
  const pairs = operations.length;
  const keys = Array.from({length: 4}, () => new Int32Array(pairs).fill(-1));
  const [track = new Int32Array(0), device = track, callName = track, kernelName = track] = keys;
  const times = Array.from({length: 4}, () => new Float64Array(pairs).fill(NaN));
  const [totalNs, callNs, queueNs, kernelNs] = times;
  for (let call = 0; call < apiCalls.length; call++) {
    const slice = apiCalls.slice[call];
    const callStartNs = slices.startNs[slice];
    const callEndNs = callStartNs + slices.durationNs[slice];
    for (let pair = offsets[call]; pair < offsets[call + 1]; pair++) {
      const operation = operations[pair];
      if (kernelOf[operation] < 0) continue;
      const kernel = gpuOperations.slice[operation];
      const kernelEndNs = slices.startNs[kernel] + slices.durationNs[kernel];
      track[pair] = slices.track[slice];
      device[pair] = gpuOperations.device[operation];
      callName[pair] = callNameOf(slices.name[slice]);
      kernelName[pair] = kernelOf[operation];
      totalNs[pair] = Math.max(callEndNs, kernelEndNs) - callStartNs;
      callNs[pair] = callEndNs - callStartNs;
      kernelNs[pair] = slices.durationNs[kernel];
      if (slices.startNs[kernel] >= callEndNs) queueNs[pair] = slices.startNs[kernel] - callEndNs;
    }
  }
  const groups = combineGroups(keys);
  const [total, api, queue, run] = times.map(values => groupStatistics(values, groups));
  release(...times, groups.groupOf);
  const order = groups.firstRow.map((_, group) => group).sort((a, b) => total.mean[b] - total.mean[a] || a - b);
  return {
    length: order.length,
    cells: row => {
      const group = order[row];
      const pair = groups.firstRow[group];
      return [
        processIdOf(trace, track[pair]),
        threadIdOf(trace, track[pair]),
        device[pair],
        total.count[group],
        queue.count[group],
        ...[total, api, queue, run].flatMap(statistics => spreadCells(statistics, group)),
        calls.texts[callName[pair]],
        kernels[kernelName[pair]],
      ];
    },
  };
}
