import {reportApiName} from '../names/api-name.js';
import {sortByStart} from '../table/sort.js';
import {kindIndex} from '../trace/slices.js';
import {kernelNameDetails} from './gpu-summaries.js';
import {processIdOf, reportTimeNs, threadIdOf} from './identity.js';
import {kernelNamer, kernelNameOptions} from '../figures/kernel-names.js';
import {gridRowOf, type DetailKind} from '../figures/report-details.js';
import type {ReportInput} from '../figures/report-input.js';
import type {Cell, ReportDefinition, ReportRows} from './report.js';
import {numberColumn, textColumn, timeColumn} from './summary.js';

/**
 * `cuda_kern_exec_trace`: each pair of a call and a kernel, by the call's start.
 *
 * @see docs/metrics.md#cuda-kern-exec-trace
 */
export const kernelLaunchTrace: ReportDefinition = {
  id: 'cuda_kern_exec_trace',
  oldId: 'kernexectrace',
  title: 'CUDA Kernel Launch & Exec Time Trace',
  options: kernelNameOptions,
  details: options => [...new Set<DetailKind>(['grids', ...kernelNameDetails(options)])],
  about: 'CUDA kernel and API data',
  columns: [
    timeColumn('API Start', 'when the call was made'),
    timeColumn('API Dur', 'until it returned'),
    timeColumn('Queue Start', 'when the call returned, of a kernel that began later'),
    timeColumn('Queue Dur', 'from there to the kernel’s start, where that is not negative'),
    timeColumn('Kernel Start', 'when the kernel began'),
    timeColumn('Kernel Dur', 'from its start to its end'),
    timeColumn('Total Dur', 'call’s start to the later of both ends'),
    numberColumn('PID', 'process that launched'),
    numberColumn('TID', 'thread that launched'),
    numberColumn('DevId', 'GPU that executed'),
    textColumn('API Function', 'the call'),
    textColumn('GridXYZ', 'blocks of the grid'),
    textColumn('BlockXYZ', 'threads of a block'),
    textColumn('Kernel Name', 'the kernel, demangled; its base or mangled name where that was asked for'),
  ],
  rows: kernelLaunchRows,
};

function kernelLaunchRows(input: ReportInput): ReportRows {
  const {trace} = input;
  const {slices, gpuOperations, apiCalls, strings} = trace;
  const {offsets, operations} = input.tables.launches;
  const calls: number[] = [];
  const kernels: number[] = [];
  for (let call = 0; call < apiCalls.length; call++) {
    for (let pair = offsets[call]; pair < offsets[call + 1]; pair++) {
      if (slices.kind[gpuOperations.slice[operations[pair]]] !== kindIndex.kernel) continue;
      calls.push(apiCalls.slice[call]);
      kernels.push(operations[pair]);
    }
  }
  const order = Uint32Array.from(calls.keys());
  sortByStart(
    order,
    Float64Array.from(calls, call => slices.startNs[call]),
  );
  const timeOf = reportTimeNs(trace);
  const kernelName = kernelNamer(input);
  return {
    length: order.length,
    cells: at => {
      const [call, operation] = [calls[order[at]], kernels[order[at]]];
      const kernel = gpuOperations.slice[operation];
      const [callNs, kernelNs] = [slices.startNs[call], slices.startNs[kernel]];
      const [callEndNs, kernelEndNs] = [callNs + slices.durationNs[call], kernelNs + slices.durationNs[kernel]];
      const isQueued = kernelNs >= callEndNs;
      return [
        ...[timeOf(callNs), slices.durationNs[call]],
        ...(isQueued ? [timeOf(callEndNs), kernelNs - callEndNs] : [null, null]),
        ...[timeOf(kernelNs), slices.durationNs[kernel], Math.max(callEndNs, kernelEndNs) - callNs],
        ...[processIdOf(trace, slices.track[call]), threadIdOf(trace, slices.track[call])],
        gpuOperations.device[operation],
        reportApiName(strings.get(slices.name[call])),
        ...sizes(input, operation),
        kernelName(operation),
      ];
    },
  };
}

/** Returns grid and block as nsys prints them, each number padded to four characters. */
function sizes({details}: ReportInput, operation: number): Cell[] {
  if (!details.grids) return [null, null];
  const {gridX, gridY, gridZ, blockX, blockY, blockZ} = details.grids;
  const row = gridRowOf(details, operation);
  const text = (numbers: readonly number[]) =>
    numbers.some(number => number < 0) ? null : numbers.map(number => String(number).padStart(4)).join(' ');
  return [text([gridX[row], gridY[row], gridZ[row]]), text([blockX[row], blockY[row], blockZ[row]])];
}
