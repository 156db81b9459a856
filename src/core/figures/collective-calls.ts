import {insideNs} from '../attribution/chosen.js';
import {greatest} from '../table/extremes.js';
import {namesThat} from '../trace/names-that.js';
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
  /** The process group's name or number; null where the profile does not say, as with the two that follow. */
  readonly group: string | null;
  readonly groupDescription: string | null;
  readonly dataType: string | null;
  /** Ranks of the group, NaN where unknown. */
  readonly groupSize: number;
  /** As NCCL's tests count them, NaN where unknown. @see collectiveBytes */
  readonly bytes: number;
  /** Bytes that the rank puts in, NaN where unknown. */
  readonly sentBytes: number;
  /** As `CollectiveArguments` has them. */
  readonly groupRanks: string | null;
  readonly splits: string | null;
  readonly peer: number;
  /** Its number in its group, NaN where unknown. */
  readonly sequence: number;
  /** Index into `Trace.processes`, and where its kernels ran; -1 where there is none. */
  readonly process: number;
  readonly device: number;
  readonly stream: number;
  readonly startNs: number;
  /** When the CPU called it, NaN where the profile does not say. */
  readonly calledNs: number;
  /** When the last of its kernels ended, on the CPU the call itself. */
  readonly endNs: number;
  /** Number of its kernels: 0 on the CPU, where a group of one rank has nothing to do, and where kernels were not recorded. */
  readonly kernels: number;
  /** Whether it ran on the CPU, where Gloo notes it whole. */
  readonly isOnCpu: boolean;
  /** Time in which one of its kernels ran, on the CPU all of its time, as far as it lies in the window. */
  readonly busyNs: number;
  /** The part of it in which the GPU computed nothing; NaN on the CPU. */
  readonly exposedNs: number;
  /** Of a call of MPI its function, and what the report says of it; null of others. */
  readonly mpi: (MpiArguments & {readonly name: string}) | null;
}

/** A kernel of a communication library, an operator around one, or a call on the CPU: what a call is made of. */
interface Part {
  /** Operation (row of `gpuOperations`), -1 where the call has no kernel. */
  readonly operation: number;
  /** `record_param_comms` around the launch, else the annotation (row of `slices`): parts that share it are one call. */
  readonly around: number;
  /** The annotation `nccl:…` around the launch, or that of a call on the CPU, empty for none. */
  readonly annotation: string;
}

/**
 * The calls of collective operations in scope, in order of start.
 *
 * A call is what one `record_param_comms` (or annotation `nccl:…`) launched; kernels without one around are calls of
 * their own. An operator that says that it was a collective is a call even if it launched nothing; so is an annotation
 * `gloo:…`, which lasts as long as the call does on the CPU, and a call of MPI that nsys recorded.
 *
 * @throws TraceError `trace/too-many-open-ranges`
 * @see docs/metrics.md#collective-sum
 */
export function collectiveCalls(input: ReportInput): CollectiveCall[] {
  const computed = new Map<number, IntervalSet>();
  const calls: CollectiveCall[] = [];
  const requests = cpuRequests(input.trace);
  for (const parts of groupParts(kernelParts(input), [...operatorParts(input), ...cpuParts(input)])) {
    calls.push(callOf(input, parts, requests, device => computedOn(input, computed, device)));
  }
  return calls.sort((a, b) => a.startNs - b.startNs);
}

/** Communication kernels with the innermost operator or annotation of a collective around their launch. */
function kernelParts(input: ReportInput): Part[] {
  const {trace, scope, tables} = input;
  const {slices, gpuOperations, strings} = trace;
  const parts: Part[] = [];
  const isCommunication = new Map<number, boolean>();
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const slice = gpuOperations.slice[operation];
    if (slices.kind[slice] !== kindIndex.kernel || scope.operations?.[operation] === 0) continue;
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

/** Operators in scope that say which collective they were; waiting for one is none. */
function operatorParts({trace: {slices, strings}, details, scope}: ReportInput): Part[] {
  const operator = strings.find(communicationOperator);
  const parts: Part[] = [];
  for (const [row, {operation}] of details.collectives ?? []) {
    if (slices.name[row] !== operator || operation === null || operation === 'wait') continue;
    if (scope.slices?.[row] !== 0) parts.push({operation: -1, around: row, annotation: ''});
  }
  return parts;
}

/** Annotations of Gloo, and calls of MPI, in scope: they run on the CPU. */
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

/** Parts of one call together: kernels first; an operator makes a call only where it has no kernel. */
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
): CollectiveCall {
  const {slices, gpuOperations, tracks} = input.trace;
  const [{operation, around, annotation}] = parts;
  const slice = operation < 0 ? around : gpuOperations.slice[operation];
  const kernels = parts.filter(part => part.operation >= 0).map(part => gpuOperations.slice[part.operation]);
  const isOnCpu = operation < 0 && annotation !== '';
  const busy = unionOf(intervalsInside(input, isOnCpu ? [slice] : kernels));
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
    endNs: greatest([slice, ...kernels].map(row => slices.startNs[row] + slices.durationNs[row])),
    kernels: kernels.length,
    isOnCpu,
    busyNs: busy.totalNs,
    exposedNs: isOnCpu ? NaN : busy.totalNs - (busy.totalNs === 0 ? 0 : overlapNs(busy, computed(device))),
    mpi: slices.kind[slice] === kindIndex.mpi ? mpiOf(annotation, args) : null,
  };
}

/** Of a job with one group every call is of that. */
function groupSizeOf({trace: {meta}}: ReportInput, {groupSize}: CollectiveArguments): number {
  return Number.isNaN(groupSize) ? (meta.groupSize ?? NaN) : groupSize;
}

function mpiOf(name: string, {mpi}: CollectiveArguments): CollectiveCall['mpi'] {
  return {name, ...(mpi ?? {bytes: NaN, handle: null})};
}

/** NaN for -1. */
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

/** What the kernel says, else what the operator around it does; the parts also by the operator that asked for it. */
function argumentsOf(
  {details: {collectives}}: ReportInput,
  slice: number,
  around: number,
  request: number | undefined,
): CollectiveArguments {
  const args = collectives?.get(slice) ?? collectives?.get(around) ?? unknown;
  return request === undefined ? args : {...args, splits: args.splits ?? collectives?.get(request)?.splits ?? null};
}

/** The operation by its argument, else by the annotation around the launch, else by the kernel's name. */
function operationOf(
  {trace: {slices, strings}}: ReportInput,
  args: CollectiveArguments,
  slice: number,
  annotation: string,
): CollectiveOperation {
  const named = [args.operation ?? '', annotation].map(collectiveOperation).find(operation => operation !== 'other');
  return named ?? collectiveOperation(strings.get(slices.name[slice]).replace(/^[a-z]*kernel_/i, ''));
}

/** Intervals of kernels (rows of `slices`, by start) as far as they lie in the window. */
function intervalsInside(
  {trace: {slices}, scope}: ReportInput,
  rows: readonly number[],
): Parameters<typeof unionOf>[0] {
  return {
    length: rows.length,
    startNs: Float64Array.from(rows, row => Math.max(slices.startNs[row], scope.fromNs)),
    durationNs: Float64Array.from(rows, row => insideNs(slices.startNs[row], slices.durationNs[row], scope)),
  };
}

/** When a device computed: kernels other than communication, whoever launched them, and memsets. */
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
  known.set(device, (set = unionOf(intervalsInside(input, rows))));
  return set;
}
