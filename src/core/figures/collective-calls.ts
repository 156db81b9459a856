import {everything, insideNs, type Chosen} from '../attribution/chosen.js';
import {greatest} from '../table/extremes.js';
import {namesThat} from '../trace/names-that.js';
import type {Trace} from '../trace/trace.js';
import {kindIndex} from '../trace/slices.js';
import {bytesOfType, collectiveBytes, collectiveOperation, type CollectiveOperation} from './collective-bandwidth.js';
import {overlapNs, unionOf, type IntervalSet} from '../trace/interval-sets.js';
import {communicationOperator, isCommunicationKernel, isCpuCollective, isMpiCollective} from '../names/kernel-class.js';
import {cpuRequests} from './cpu-requests.js';
import type {CollectiveArguments, MpiArguments} from './report-details.js';
import type {ReportInput} from './report-input.js';

/** One call of a collective operation by one rank. */
export interface CollectiveCall {
  readonly operation: CollectiveOperation;
  /** The process group's name or number. This field and the next two are null if the profile does not record them. */
  readonly group: string | null;
  readonly groupDescription: string | null;
  readonly dataType: string | null;
  /** Number of ranks in the group, NaN if unknown. */
  readonly groupSize: number;
  /** As counted by NCCL's tests, NaN if unknown. @see collectiveBytes */
  readonly bytes: number;
  /** Bytes of the rank's input, NaN if unknown. */
  readonly sentBytes: number;
  /** As in `CollectiveArguments`. */
  readonly groupRanks: string | null;
  readonly splits: string | null;
  readonly peer: number;
  /** The call's number in its group, NaN if unknown. */
  readonly sequence: number;
  /** Index into `Trace.processes`; then the device and stream of its kernels. -1 if there is none. */
  readonly process: number;
  readonly device: number;
  readonly stream: number;
  readonly startNs: number;
  /** When the CPU made the call, NaN if the profile does not record it. */
  readonly calledNs: number;
  /** When the last of its kernels ended; on the CPU, when the call itself ended. */
  readonly endNs: number;
  /** Number of its kernels: 0 on the CPU, in a group of one rank, and if kernels were not recorded. */
  readonly kernels: number;
  /** Whether it ran on the CPU, where a single event (such as Gloo's annotation) covers the whole call. */
  readonly isOnCpu: boolean;
  /** Time inside the window in which one of its kernels ran; on the CPU, the call's whole time. */
  readonly busyNs: number;
  /** The same without regard to the window: the time in which all of `bytes` were moved. */
  readonly wholeNs: number;
  /** The part of `busyNs` in which the GPU computed nothing; NaN on the CPU. */
  readonly exposedNs: number;
  /** The function and recorded arguments of an MPI call; null for other calls. */
  readonly mpi: (MpiArguments & {readonly name: string}) | null;
}

/** A part of a call: a kernel of a communication library, an operator around one, or a call on the CPU. */
interface Part {
  /** Operation (row of `gpuOperations`), -1 if the call has no kernel. */
  readonly operation: number;
  /**
   * `record_param_comms` around the launch, else the annotation (row of `slices`). Parts with the same row form one
   * call.
   */
  readonly around: number;
  /** The annotation `nccl:…` around the launch, or the name of a call on the CPU; empty if there is none. */
  readonly annotation: string;
}

/**
 * Returns the calls of collective operations in scope, in order of start.
 *
 * A call is what one `record_param_comms` (or annotation `nccl:…`) launched; a kernel without one around it is a call
 * of its own. An operator recorded as a collective is a call even if it launched nothing; so is an annotation `gloo:…`,
 * which lasts as long as the call does on the CPU, and an MPI call recorded by nsys.
 *
 * @throws TraceError `trace/too-many-open-ranges`
 * @see docs/metrics.md#collective-sum
 */
export function collectiveCalls(input: ReportInput): CollectiveCall[] {
  const computed = new Map<number, IntervalSet>();
  const calls: CollectiveCall[] = [];
  const requests = cpuRequests(input.trace);
  for (const parts of groupParts(kernelParts(input), [...operatorParts(input), ...cpuParts(input)])) {
    const inScope = parts.filter(({operation}) => input.scope.operations?.[operation] !== 0);
    if (inScope.length === 0) continue;
    const wholeNs = unionOf(intervalsInside(input.trace.slices, rowsOf(input, parts), everything)).totalNs;
    calls.push({...callOf(input, inScope, requests, device => computedOn(input, computed, device)), wholeNs});
  }
  return calls.sort((a, b) => a.startNs - b.startNs);
}

/** Returns the slices during which a call ran: its kernels, or the call itself on the CPU. */
function rowsOf({trace: {gpuOperations}}: ReportInput, parts: readonly Part[]): number[] {
  const [{operation, around, annotation}] = parts;
  if (operation < 0) return annotation === '' ? [] : [around];
  return parts.map(part => gpuOperations.slice[part.operation]);
}

/** Returns all communication kernels, in scope or not, with the innermost collective around their launch. */
function kernelParts(input: ReportInput): Part[] {
  const {trace, tables} = input;
  const {slices, gpuOperations, strings} = trace;
  const parts: Part[] = [];
  const isCommunication = new Map<number, boolean>();
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const slice = gpuOperations.slice[operation];
    if (slices.kind[slice] !== kindIndex.kernel) continue;
    const name = slices.name[slice];
    let isIt = isCommunication.get(name);
    if (isIt === undefined) isCommunication.set(name, (isIt = isCommunicationKernel(strings.get(name))));
    if (isIt) parts.push({operation, ...collectiveAround(operation)});
  }
  return parts;

  function collectiveAround(operation: number): Omit<Part, 'operation'> {
    const site = tables.launchSites.siteOf[operation];
    const {node, slice, parent} = tables.operatorStacks;
    let annotated = -1;
    let operator = -1;
    for (let at = site < 0 ? -1 : node[site]; at >= 0; at = parent[at]) {
      const name = strings.get(slices.name[slice[at]]);
      if (name === communicationOperator && operator < 0) operator = slice[at];
      else if (annotated < 0 && /^(nccl|rccl|gloo|mpi|ucc):/.test(name)) annotated = slice[at];
    }
    const annotation = annotated < 0 ? '' : strings.get(slices.name[annotated]);
    return {around: operator < 0 ? annotated : operator, annotation};
  }
}

/** Returns the operators in scope that are recorded as a collective; waiting for one does not count. */
function operatorParts({trace: {slices, strings}, details, scope}: ReportInput): Part[] {
  const operator = strings.find(communicationOperator);
  const parts: Part[] = [];
  for (const [row, {operation}] of details.collectives ?? []) {
    if (slices.name[row] !== operator || operation === null || operation === 'wait') continue;
    if (scope.slices?.[row] !== 0) parts.push({operation: -1, around: row, annotation: ''});
  }
  return parts;
}

/** Returns Gloo's annotations and MPI calls in scope, which run on the CPU. */
function cpuParts({trace, scope}: ReportInput): Part[] {
  const {slices, strings} = trace;
  const isGloo = namesThat(trace, isCpuCollective);
  const isMpi = namesThat(trace, isMpiCollective);
  const parts: Part[] = [];
  for (let row = 0; row < slices.length; row++) {
    const kind = slices.kind[row];
    if (!(kind === kindIndex.user_annotation && isGloo(row)) && !(kind === kindIndex.mpi && isMpi(row))) continue;
    if (scope.slices?.[row] !== 0) parts.push({operation: -1, around: row, annotation: strings.get(slices.name[row])});
  }
  return parts;
}

/** Groups the parts by call, kernels first; an operator makes a call only if it has no kernel. */
function groupParts(kernels: readonly Part[], operators: readonly Part[]): Part[][] {
  const byAround = new Map<number, Part[]>();
  const calls: Part[][] = [];
  for (const part of [...kernels, ...operators]) {
    const known = part.around < 0 ? undefined : byAround.get(part.around);
    if (known) {
      if (part.operation >= 0) known.push(part);
      continue;
    }
    const parts = [part];
    if (part.around >= 0) byAround.set(part.around, parts);
    calls.push(parts);
  }
  return calls;
}

function callOf(
  input: ReportInput,
  parts: readonly Part[],
  requests: ReadonlyMap<number, number>,
  computed: (device: number) => IntervalSet,
): Omit<CollectiveCall, 'wholeNs'> {
  const {slices, gpuOperations, tracks} = input.trace;
  const [{operation, around, annotation}] = parts;
  const slice = operation < 0 ? around : gpuOperations.slice[operation];
  const isOnCpu = operation < 0 && annotation !== '';
  const rows = rowsOf(input, parts);
  const busy = unionOf(intervalsInside(slices, rows, input.scope));
  const args = argumentsOf(input, slice, around, requests.get(slice));
  const groupSize = groupSizeOf(input, args);
  const called = operationOf(input, args, slice, annotation);
  const device = operation < 0 ? -1 : gpuOperations.device[operation];
  return {
    operation: called,
    group: args.group,
    groupDescription: args.groupDescription,
    dataType: args.dataType,
    groupSize,
    bytes: collectiveBytes(called, {...args, groupSize}),
    sentBytes: args.inElements * bytesOfType(args.dataType ?? ''),
    ...{groupRanks: args.groupRanks, splits: args.splits, peer: args.peer},
    sequence: args.sequence,
    process: operation < 0 ? tracks[slices.track[around]].process : gpuOperations.process[operation],
    device,
    stream: operation < 0 ? -1 : gpuOperations.stream[operation],
    startNs: slices.startNs[slice],
    calledNs: startOf(slices, requests.get(slice) ?? around),
    endNs: greatest([slice, ...rows].map(row => slices.startNs[row] + slices.durationNs[row])),
    kernels: operation < 0 ? 0 : rows.length,
    isOnCpu,
    busyNs: busy.totalNs,
    exposedNs: isOnCpu ? NaN : busy.totalNs - (busy.totalNs === 0 ? 0 : overlapNs(busy, computed(device))),
    mpi: slices.kind[slice] === kindIndex.mpi ? mpiOf(annotation, args) : null,
  };
}

/** Returns the group's size; in a job with a single group, every call belongs to that group. */
function groupSizeOf({trace: {meta}}: ReportInput, {groupSize}: CollectiveArguments): number {
  return Number.isNaN(groupSize) ? (meta.groupSize ?? NaN) : groupSize;
}

function mpiOf(name: string, {mpi}: CollectiveArguments): CollectiveCall['mpi'] {
  return {name, ...(mpi ?? {bytes: NaN, handle: null})};
}

/** Returns the slice's start, NaN for -1. */
function startOf({startNs}: {readonly startNs: Float64Array}, slice: number): number {
  return slice < 0 ? NaN : startNs[slice];
}

const unknown: CollectiveArguments = {
  operation: null,
  group: null,
  groupDescription: null,
  groupSize: NaN,
  inElements: NaN,
  outElements: NaN,
  dataType: null,
  sequence: NaN,
  groupRanks: null,
  splits: null,
  peer: NaN,
};

/**
 * Returns the arguments recorded with the kernel, else with the operator around it; the splits also from the operator
 * that requested it.
 */
function argumentsOf(
  {details: {collectives}}: ReportInput,
  slice: number,
  around: number,
  request: number | undefined,
): CollectiveArguments {
  const args = collectives?.get(slice) ?? collectives?.get(around) ?? unknown;
  return request === undefined ? args : {...args, splits: args.splits ?? collectives?.get(request)?.splits ?? null};
}

/** Returns the operation given by the argument, else by the annotation around the launch, else by the kernel's name. */
function operationOf(
  {trace: {slices, strings}}: ReportInput,
  args: CollectiveArguments,
  slice: number,
  annotation: string,
): CollectiveOperation {
  const named = [args.operation ?? '', annotation].map(collectiveOperation).find(operation => operation !== 'other');
  return named ?? collectiveOperation(strings.get(slices.name[slice]).replace(/^[a-z]*kernel_/i, ''));
}

/** Returns the intervals of kernels (rows of `slices`, by start), clipped to the window. */
function intervalsInside(
  {startNs, durationNs}: Trace['slices'],
  rows: readonly number[],
  window: Pick<Chosen, 'fromNs' | 'toNs'>,
): Parameters<typeof unionOf>[0] {
  return {
    length: rows.length,
    startNs: Float64Array.from(rows, row => Math.max(startNs[row], window.fromNs)),
    durationNs: Float64Array.from(rows, row => insideNs(startNs[row], durationNs[row], window)),
  };
}

/** Returns when a device computed: kernels other than communication, whoever launched them, and memsets. */
function computedOn(input: ReportInput, known: Map<number, IntervalSet>, device: number): IntervalSet {
  let set = known.get(device);
  if (set) return set;
  const {slices, gpuOperations, strings} = input.trace;
  const isCommunication = new Map<number, boolean>();
  const rows: number[] = [];
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (gpuOperations.device[operation] !== device) continue;
    const slice = gpuOperations.slice[operation];
    if (slices.kind[slice] === kindIndex.gpu_memcpy) continue;
    const name = slices.name[slice];
    let isIt = isCommunication.get(name);
    if (isIt === undefined) isCommunication.set(name, (isIt = isCommunicationKernel(strings.get(name))));
    if (!isIt) rows.push(slice);
  }
  known.set(device, (set = unionOf(intervalsInside(input.trace.slices, rows, input.scope))));
  return set;
}
