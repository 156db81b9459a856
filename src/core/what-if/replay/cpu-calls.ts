import {isBlockingName} from '../../attribution/blocking-calls.js';
import type {LaunchSites} from '../../attribution/launch-sites.js';
import {pushAll} from '../../table/extremes.js';
import {getOrAdd} from '../../table/get-or-add.js';
import {kindIndex} from '../../trace/slices.js';
import type {Trace} from '../../trace/trace.js';
import {lastLaunched, type StreamQueue} from './gpu-queue.js';

/** A call of a thread that the replay models; all other time is the thread's own. */
export interface ReplayCall {
  readonly slice: number;
  readonly track: number;
  readonly startNs: number;
  readonly endNs: number;
  /** Operations launched by it, or by calls inside it. */
  readonly operations: readonly number[];
  /** Operations that it waits for. */
  readonly awaited: readonly number[];
  /** Whether it makes a stream wait for another, so that the next operation launched by its thread may have to wait. */
  readonly orders: boolean;
  /** Whether it is a waiting call by name, even if there was nothing to wait for. */
  readonly waits: boolean;
}

/** The largest difference between the clocks of CPU and GPU, ns. */
const skewNs = 3_000;
/** Calls that free or pin memory may wait for the GPU; shorter ones did not, ns. */
const shortestHiddenWaitNs = 20_000;

const isOrderingName = (name: string) => /^(?:cuda|cu|hip)StreamWaitEvent/.test(name);
const isHiddenWaitName = (name: string) =>
  /^(?:cuda|cu|hip)(?:Free|Malloc|Mem(?:Free|Alloc|Host)|Host|Module|Library)/.test(name);

/** What an outermost call and the calls inside it do. */
interface OutermostCall {
  readonly slice: number;
  readonly endNs: number;
  readonly process: number;
  readonly operations: number[];
  readonly names: string[];
}

/**
 * Returns the calls that launch, wait, or order streams, by track and start. Calls inside a call are part of it.
 *
 * Few files record the stream or event that a call waits for. The call is assumed to wait for the last operation of
 * each stream that was launched before it and done when it returned.
 */
export function replayCalls(trace: Trace, sites: LaunchSites, queues: readonly StreamQueue[]): ReplayCall[] {
  const {slices} = trace;
  return outermostCalls(trace, sites).flatMap(({slice, endNs, process, operations, names}) => {
    const startNs = slices.startNs[slice];
    const span = {process, startNs, endNs};
    const orders = names.some(isOrderingName);
    const waits = names.some(isBlockingName);
    const copies = awaitedCopies(trace, operations, startNs, endNs);
    const isHidden = operations.length === 0 && endNs - startNs > shortestHiddenWaitNs && names.some(isHiddenWaitName);
    const awaited =
      copies.length > 0
        ? copies
        : waits
          ? doneBy(trace, queues, span).awaited
          : isHidden
            ? awaitedHiddenly(trace, queues, span)
            : [];
    if (operations.length + awaited.length === 0 && !orders && !waits) return [];
    return [{slice, track: slices.track[slice], startNs, endNs, operations, awaited, orders, waits}];
  });
}

function outermostCalls(trace: Trace, sites: LaunchSites): OutermostCall[] {
  const {slices, apiCalls, gpuOperations, strings} = trace;
  const launched = new Map<number, number[]>();
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const site = sites.siteOf[operation];
    if (site >= 0) getOrAdd(launched, sites.slice[site], () => []).push(operation);
  }
  const processOf = new Map<number, number>();
  for (let call = 0; call < apiCalls.length; call++) processOf.set(apiCalls.slice[call], apiCalls.process[call]);
  const rows = Int32Array.from(new Set([...launched.keys(), ...apiCalls.slice])).sort();
  const found: OutermostCall[] = [];
  let outer: OutermostCall | undefined;
  for (const slice of rows) {
    const process = processOf.get(slice);
    const operations = launched.get(slice) ?? [];
    // An operator that replaces an unrecorded call does not name the call.
    const names = process === undefined ? [] : [strings.get(slices.name[slice])];
    const startNs = slices.startNs[slice];
    if (outer && slices.track[outer.slice] === slices.track[slice] && startNs < outer.endNs && outer.names.length > 0) {
      pushAll(outer.operations, operations);
      pushAll(outer.names, names);
      continue;
    }
    outer = {
      slice,
      endNs: startNs + slices.durationNs[slice],
      process: process ?? -1,
      operations: [...operations],
      names,
    };
    found.push(outer);
  }
  return found;
}

/**
 * Returns the copies that a copying call waited for: most of such a copy is inside the call. A copy from pageable
 * memory may end a little after its call, which has by then handed over its last part.
 */
function awaitedCopies(
  {slices, gpuOperations}: Trace,
  operations: readonly number[],
  startNs: number,
  endNs: number,
): number[] {
  return operations.filter(operation => {
    const row = gpuOperations.slice[operation];
    if (slices.kind[row] !== kindIndex.gpu_memcpy && slices.kind[row] !== kindIndex.gpu_memset) return false;
    const copyNs = slices.durationNs[row];
    const insideNs = Math.min(endNs, slices.startNs[row] + copyNs) - Math.max(startNs, slices.startNs[row]);
    return copyNs === 0 ? insideNs >= 0 : insideNs > copyNs / 2;
  });
}

interface CallSpan {
  readonly process: number;
  readonly startNs: number;
  readonly endNs: number;
}

/**
 * Returns the last operation of each stream launched before a call began, if it was done when the call returned; also
 * the number of streams, and when the last of these operations was done.
 */
function doneBy(
  {slices, gpuOperations}: Trace,
  queues: readonly StreamQueue[],
  {process, startNs, endNs}: CallSpan,
): {awaited: number[]; streams: number; doneNs: number} {
  const awaited: number[] = [];
  let streams = 0;
  let doneNs = -Infinity;
  for (const queue of queues) {
    const last = queue.process === process ? lastLaunched(queue, startNs) : -1;
    if (last < 0) continue;
    streams++;
    const row = gpuOperations.slice[last];
    const lastEndNs = slices.startNs[row] + slices.durationNs[row];
    if (lastEndNs > endNs + skewNs) continue;
    awaited.push(last);
    doneNs = Math.max(doneNs, lastEndNs);
  }
  return {awaited, streams, doneNs};
}

/** Returns what a call waited for that may implicitly wait for every stream; only if it did. */
function awaitedHiddenly(trace: Trace, queues: readonly StreamQueue[], span: CallSpan): number[] {
  const {awaited, streams, doneNs} = doneBy(trace, queues, span);
  return awaited.length === streams && doneNs > span.startNs ? awaited : [];
}
