import {reportMemoryName} from '../names/memory-operation-name.js';
import {rowsOfKinds} from './rows-of-kinds.js';
import {namesThat} from '../trace/names-that.js';
import type {SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {autogradOperators} from './autograd-operators.js';
import {isBlockingCall, outermostCalls} from './blocking-calls.js';
import {findStacks, threadScopes} from './find-stacks.js';
import type {LaunchSites} from './launch-sites.js';
import {StackTreeBuilder} from './open-ranges.js';
import {isPersonsRange} from './persons-ranges.js';

/** Why a thread waited: to read one value (`.item()`), for a copy to the host (`.cpu()`), or something else. */
export const waitCauses = ['item', 'copy', 'other'] as const;
export type WaitCause = (typeof waitCauses)[number];

/** CPU time spent in calls that wait; whole ns. */
export interface Stall {
  /** Number of waits: several calls that one operator makes for one wait count as one. */
  readonly calls: number;
  readonly blockedNs: number;
}

/** Calls in which a thread waits for the GPU, and their causes. */
export interface WaitingCalls {
  /** Rows of the slices table, ascending; of nested calls only the outermost. */
  readonly slice: Int32Array;
  /** Call → row of the innermost range around it that the user named, -1 for none. */
  readonly range: Int32Array;
  /** Call → its cause, as an index into `waitCauses`. */
  readonly cause: Uint8Array;
  /** Call → 1 if the call before it belongs to the same operator: `.item()` copies, and then waits. */
  readonly isSameWait: Uint8Array;
  /** Whether PyTorch's operators give the causes; without them `.item()` looks like any copy. */
  readonly hasOperators: boolean;
}

/**
 * Returns the calls that `blockingCalls` finds, and the calls that launch a copy to the host: a copy to pageable memory
 * waits although its call is asynchronous. A copy to pinned memory does not wait, and takes no time.
 *
 * @see docs/metrics.md#hints
 */
export function waitingCalls(trace: Trace, sites: LaunchSites): WaitingCalls {
  const {slices, strings} = trace;
  const copies = copiesToHost(trace, sites);
  const isBlocking = isBlockingCall(trace);
  const slice = outermostCalls(trace, row => copies.has(row) || isBlocking(row));
  const isPersons = isPersonsRange(trace, autogradOperators(trace).areRanges);
  const range = innermostOf(trace, rowsOfKinds(trace, stackedRanges).filter(isPersons), slice);
  const operators = rowsOfKinds(trace, new Set<SliceKind>(['cpu_op']));
  const hasOperators = operators.length > 0;
  const asking = innermostOf(
    trace,
    operators.filter(row => causeOf(strings.get(slices.name[row])) !== null),
    slice,
  );
  const cause = Uint8Array.from(slice, (row, call) => {
    const operator = asking[call] < 0 ? null : causeOf(strings.get(slices.name[asking[call]]));
    const isCopy = copies.has(row) || strings.get(slices.name[row]).includes('StreamSynchronize');
    return waitCauses.indexOf(operator ?? (isCopy && !hasOperators ? 'copy' : 'other'));
  });
  const isSameWait = asking.map((row, call) => (row >= 0 && call > 0 && row === asking[call - 1] ? 1 : 0));
  return {slice, range, cause, isSameWait: Uint8Array.from(isSameWait), hasOperators};
}

const stackedRanges = new Set<SliceKind>(['user_annotation', 'nvtx_pushpop']);

/** Returns what a PyTorch operator waits for, by its name; null if it does not wait. */
function causeOf(operator: string): WaitCause | null {
  if (/^aten::(item|_local_scalar_dense|is_nonzero)$/.test(operator)) return 'item';
  return /^aten::(to|_to_copy|copy_)$/.test(operator) ? 'copy' : null;
}

/** Returns the rows of calls that launched a copy from a device to the host. */
function copiesToHost(trace: Trace, {siteOf, slice}: LaunchSites): Set<number> {
  const {gpuOperations} = trace;
  const rows = new Set<number>();
  const isToHost = namesThat(trace, isCopyToHost);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (siteOf[operation] >= 0 && isToHost(gpuOperations.slice[operation])) rows.add(slice[siteOf[operation]]);
  }
  return rows;
}

function isCopyToHost(name: string): boolean {
  return reportMemoryName(name) === '[CUDA memcpy Device-to-Host]' || name === 'CopyDeviceToHost';
}

function innermostOf(trace: Trace, rows: Int32Array, sites: Int32Array): Int32Array {
  const containers = {rows, ids: null, scopeOfTrack: threadScopes(trace)};
  const {innermost} = findStacks(trace, containers, sites, new StackTreeBuilder());
  return innermost.map(at => (at < 0 ? -1 : rows[at]));
}
