import {getOrAdd} from '../../table/get-or-add.js';
import {upperBound} from '../../table/search.js';
import type {ReplayCall} from './cpu-calls.js';
import {lastLaunched} from './gpu-queue.js';
import type {LaunchedOperations} from './launched-operations.js';

/** The longest time between the end of an operation and the start of one that waited for it, ns. */
const longestAfterNs = 100_000;
/** An operation that starts this much later than launch and stream explain waited for something else, ns. */
const leastLateNs = 5_000;
const skewNs = 1_000;

/** Operation → operations of other streams that it waits for. */
export type EventDependencies = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Finds operations that wait for those of other streams. Files seldom record which stream waits for which, so this is
 * derived from two facts: a `cudaStreamWaitEvent` before a launch, and an operation that was done when another began,
 * while neither launch nor stream held the other until then. Operations that were done later are excluded.
 *
 * @param explainedNs when launch and stream allow an operation to begin
 */
export function eventDependencies(
  operations: LaunchedOperations,
  calls: readonly ReplayCall[],
  explainedNs: (operation: number) => number,
): EventDependencies {
  const found = new Map<number, Set<number>>();
  if (operations.queues.length < 2) return found;
  const add = (operation: number, other: number) => {
    getOrAdd(found, operation, () => new Set<number>()).add(other);
  };
  addOrdered(operations, calls, add);
  addCoincident(operations, explainedNs, add);
  return found;
}

type Add = (operation: number, other: number) => void;

function addOrdered(
  {queues, queueOf, startNs, endNs}: LaunchedOperations,
  calls: readonly ReplayCall[],
  add: Add,
): void {
  const orderedNs = new Map<number, number>();
  for (const call of calls) {
    if (call.orders) orderedNs.set(call.track, call.startNs);
    const atNs = orderedNs.get(call.track);
    const operation = call.operations.at(0);
    if (atNs === undefined || operation === undefined) continue;
    orderedNs.delete(call.track);
    const own = queues[queueOf[operation]];
    for (const queue of queues) {
      if (queue === own || queue.process !== own.process) continue;
      const last = lastLaunched(queue, atNs);
      if (last >= 0 && endNs(last) <= startNs(operation) + skewNs) add(operation, last);
    }
  }
}

function addCoincident(operations: LaunchedOperations, explainedNs: (operation: number) => number, add: Add): void {
  const {length, queues, queueOf, callOf, startNs, endNs} = operations;
  const byEnd = Int32Array.from({length}, (_, operation) => operation).sort((a, b) => endNs(a) - endNs(b) || a - b);
  const ends = Float64Array.from(byEnd, endNs);
  for (let operation = 0; operation < length; operation++) {
    const fromNs = explainedNs(operation);
    if (startNs(operation) - fromNs < leastLateNs) continue;
    const after = Math.max(fromNs, startNs(operation) - longestAfterNs);
    for (let at = upperBound(ends, startNs(operation) + skewNs) - 1; at >= 0 && ends[at] > after; at--) {
      const other = byEnd[at];
      if (queueOf[other] === queueOf[operation]) continue;
      if (queues[queueOf[other]].process !== queues[queueOf[operation]].process) continue;
      // An operation cannot wait for one that is launched later.
      const [mine, its] = [callOf[operation], callOf[other]];
      if (mine && its && its.startNs > mine.startNs) continue;
      add(operation, other);
      break;
    }
  }
}
