import {insideNs} from '../attribution/chosen.js';
import {launchLinks} from '../attribution/link-launches.js';
import {getOrAdd} from '../table/get-or-add.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import type {Intervals} from '../trace/intervals.js';
import {overlapNs, unionOf} from '../trace/interval-sets.js';
import {kernelClass} from '../names/kernel-class.js';
import type {ReportInput} from '../figures/report-input.js';
import {hasNoGpuWork} from './empty-traces.js';
import type {Cell, ReportDefinition, ReportRows} from './report.js';
import {numberColumn, textColumn, timeColumn} from './summary.js';

const idleParts = ['Idle Not Launched', 'Idle Launching', 'Idle Queued', 'Idle Unknown'];
const spanParts = ['Computation', 'Exposed Comm', 'Exposed Memcpy', ...idleParts];

/**
 * `gpu_timeline`: what each GPU did between its first and its last operation, each moment counted once.
 * `gpu_timeline:launched` leaves out operations without a launching call, as TraceLens does.
 *
 * @see docs/metrics.md#gpu-timeline
 */
export const gpuTimeline: ReportDefinition = {
  id: 'gpu_timeline',
  oldId: null,
  title: 'GPU Timeline',
  options: ['launched'],
  details: () => [],
  about: 'GPU work',
  tabs: [{id: 'gpu-timeline', title: 'GPU time', row: 'plain', after: 'os', group: 'Summary', isEmpty: hasNoGpuWork}],
  columns: [
    textColumn('Device', 'the GPU and its number'),
    timeColumn('Span', 'first start to last end of its operations', {parts: spanParts}),
    timeColumn('Busy', 'the union of all operations: Computation + Exposed Comm + Exposed Memcpy'),
    timeColumn('Idle', 'Span − Busy', {parts: idleParts}),
    timeColumn('Computation', 'the union of kernels other than communication, memsets and graphs'),
    timeColumn(
      'Total Comm',
      'the union of communication kernels: those whose names say NCCL, RCCL, MSCCL, NVSHMEM or a collective (PyTorch’s multimem all-reduce)',
    ),
    timeColumn('Exposed Comm', 'Total Comm less its overlap with Computation'),
    timeColumn('Total Memcpy', 'the union of copies'),
    timeColumn('Exposed Memcpy', 'Total Memcpy less its overlap with Computation and Comm'),
    timeColumn(
      'Idle Not Launched',
      'idle time in which the next operation’s call had not begun: the GPU waits for the CPU',
    ),
    timeColumn('Idle Launching', 'idle time after the call had begun, where it began within the gap: launch latency'),
    timeColumn('Idle Queued', 'idle time before operations whose call had begun before the gap: they wait for others'),
    timeColumn('Idle Unknown', 'idle time before operations without a call in the profile'),
    numberColumn('Gaps', 'number of intervals in which the GPU was idle'),
  ],
  rows: gpuTimelineRows,
};

/** Figures of one GPU, ns. */
export interface GpuTimeline {
  readonly device: number;
  readonly spanNs: number;
  readonly busyNs: number;
  readonly computationNs: number;
  readonly communicationNs: number;
  readonly exposedCommunicationNs: number;
  readonly memcpyNs: number;
  readonly exposedMemcpyNs: number;
  readonly idle: IdleCauses;
}

/** Idle time by the state of the call that launched the next operation. The causes add up to span − busy. */
interface IdleCauses {
  notLaunchedNs: number;
  launchingNs: number;
  queuedNs: number;
  unknownNs: number;
  gaps: number;
}

/** Returns the timeline of each GPU that has operations in scope. */
export function gpuTimelines(input: ReportInput): GpuTimeline[] {
  const whole = new Int32Array(input.trace.gpuOperations.length);
  return timelinesOfParts(input, whole).map(({timeline}) => timeline);
}

/**
 * Returns the timelines of parts of a trace, by GPU. Each timeline covers only the operations of its part.
 *
 * @param partOf operation → its part, -1 for none
 */
export function timelinesOfParts(input: ReportInput, partOf: Int32Array): {part: number; timeline: GpuTimeline}[] {
  const {trace, scope} = input;
  const {gpuOperations} = trace;
  const isCommunication = communicationNames(trace);
  return trace.devices.flatMap(({id}) => {
    const parts = new Map<number, number[]>();
    for (let operation = 0; operation < gpuOperations.length; operation++) {
      if (gpuOperations.device[operation] !== id || partOf[operation] < 0) continue;
      if (scope.operations?.[operation] === 0) continue;
      getOrAdd(parts, partOf[operation], () => []).push(operation);
    }
    return Array.from(parts, ([part, operations]) => ({
      part,
      timeline: timelineOf(input, id, operations, isCommunication),
    }));
  });
}

function timelineOf(
  input: ReportInput,
  device: number,
  operations: readonly number[],
  isCommunication: Uint8Array,
): GpuTimeline {
  const {slices, gpuOperations} = input.trace;
  const [copies, communication, computation]: [number[], number[], number[]] = [[], [], []];
  for (const operation of operations) {
    const slice = gpuOperations.slice[operation];
    if (slices.kind[slice] === kindIndex.gpu_memcpy) copies.push(operation);
    else if (isCommunication[slices.name[slice]] === 1) communication.push(operation);
    else computation.push(operation);
  }
  const computed = unionOf(intervalsOf(input, computation));
  const communicated = unionOf(intervalsOf(input, communication));
  const copied = unionOf(intervalsOf(input, copies));
  const withoutCopies = unionOf(intervalsOf(input, operations.filter(notACopy)));
  const busy = unionOf(intervalsOf(input, operations));
  return {
    device,
    spanNs: spanOf(intervalsOf(input, operations)),
    busyNs: busy.totalNs,
    computationNs: computed.totalNs,
    communicationNs: communicated.totalNs,
    exposedCommunicationNs: communicated.totalNs - overlapNs(communicated, computed),
    memcpyNs: copied.totalNs,
    exposedMemcpyNs: copied.totalNs - overlapNs(copied, withoutCopies),
    idle: idleCauses(input, operations),
  };

  function notACopy(operation: number): boolean {
    return slices.kind[gpuOperations.slice[operation]] !== kindIndex.gpu_memcpy;
  }
}

function idleCauses({trace, tables}: ReportInput, operations: readonly number[]): IdleCauses {
  const {slices, gpuOperations, apiCalls} = trace;
  const {startNs, durationNs} = slices;
  const {callOf} = tables.launchSites;
  const idle: IdleCauses = {notLaunchedNs: 0, launchingNs: 0, queuedNs: 0, unknownNs: 0, gaps: 0};
  let coveredToNs = startNs[gpuOperations.slice[operations[0]]];
  for (const operation of operations) {
    const slice = gpuOperations.slice[operation];
    const gapNs = startNs[slice] - coveredToNs;
    if (gapNs > 0) {
      idle.gaps++;
      const call = callOf[operation];
      const callNs = call < 0 ? NaN : startNs[apiCalls.slice[call]];
      if (call < 0) idle.unknownNs += gapNs;
      else if (callNs <= coveredToNs) idle.queuedNs += gapNs;
      else {
        // If a call begins after its operation, the clocks are skewed.
        const notLaunchedNs = Math.min(callNs, startNs[slice]) - coveredToNs;
        idle.notLaunchedNs += notLaunchedNs;
        idle.launchingNs += gapNs - notLaunchedNs;
      }
    }
    coveredToNs = Math.max(coveredToNs, startNs[slice] + durationNs[slice]);
  }
  return idle;
}

function gpuTimelineRows(input: ReportInput): ReportRows {
  const timelines = gpuTimelines(input.options.includes('launched') ? launchedAlone(input) : input);
  return {length: timelines.length, cells: row => timelineCells(input, timelines[row])};
}

/** Returns the same input without operations that no call in the profile launched. */
function launchedAlone(input: ReportInput): ReportInput {
  const {operations} = input.scope;
  const launched = Uint8Array.from(launchLinks(input.trace).callOf, (call, operation) => {
    return call >= 0 && (operations === null || operations[operation] === 1) ? 1 : 0;
  });
  return {...input, scope: {...input.scope, operations: launched}};
}

/** Returns a timeline as the cells of `gpu_timeline`. */
export function timelineCells({trace}: ReportInput, gpu: GpuTimeline): Cell[] {
  const name = trace.devices.find(({id}) => id === gpu.device)?.name ?? '';
  return [
    `${name} (${String(gpu.device)})`.trimStart(),
    gpu.spanNs,
    gpu.busyNs,
    gpu.spanNs - gpu.busyNs,
    gpu.computationNs,
    gpu.communicationNs,
    gpu.exposedCommunicationNs,
    gpu.memcpyNs,
    gpu.exposedMemcpyNs,
    gpu.idle.notLaunchedNs,
    gpu.idle.launchingNs,
    gpu.idle.queuedNs,
    gpu.idle.unknownNs,
    gpu.idle.gaps,
  ];
}

/** Maps each name to 1 if it is a communication kernel's. */
function communicationNames({strings, slices, gpuOperations}: Trace): Uint8Array {
  const isCommunication = new Uint8Array(strings.length);
  const isKnown = new Uint8Array(strings.length);
  for (const slice of gpuOperations.slice) {
    const name = slices.name[slice];
    if (isKnown[name] === 1) continue;
    isKnown[name] = 1;
    if (kernelClass(strings.get(name)) === 'communication') isCommunication[name] = 1;
  }
  return isCommunication;
}

/** Operations are sorted by start, and so are their intervals. */
function intervalsOf({trace: {slices, gpuOperations}, scope}: ReportInput, operations: readonly number[]): Intervals {
  const startNs = new Float64Array(operations.length);
  const durationNs = new Float64Array(operations.length);
  operations.forEach((operation, i) => {
    const slice = gpuOperations.slice[operation];
    startNs[i] = Math.max(slices.startNs[slice], scope.fromNs);
    durationNs[i] = insideNs(slices.startNs[slice], slices.durationNs[slice], scope);
  });
  return {length: operations.length, startNs, durationNs};
}

function spanOf({length, startNs, durationNs}: Intervals): number {
  let lastNs = -Infinity;
  for (let i = 0; i < length; i++) lastNs = Math.max(lastNs, startNs[i] + durationNs[i]);
  return lastNs - startNs[0];
}
