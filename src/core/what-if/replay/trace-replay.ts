import {launchSites} from '../../attribution/launch-sites.js';
import {greatest} from '../../table/extremes.js';
import {derived, derivedKey} from '../../trace/derived.js';
import type {Trace} from '../../trace/trace.js';
import {replayCalls, type ReplayCall} from './cpu-calls.js';
import {eventDependencies, type EventDependencies} from './event-dependencies.js';
import {streamQueues} from './gpu-queue.js';
import {launchedOperations, type LaunchedOperations} from './launched-operations.js';
import {machineDelays, type MachineDelays} from './machine-delays.js';
import {GraphBuilder, origin, type ReplayGraph} from './replay-graph.js';
import {addThreads, type ThreadMoments} from './thread-order.js';

/** A trace as moments that wait for each other, with the meaning of the moments. */
export interface TraceReplay extends ThreadMoments {
  readonly graph: ReplayGraph;
  /** In the order of their moments. */
  readonly calls: readonly ReplayCall[];
  /** GPU operation → moments. */
  readonly operationStart: Int32Array;
  readonly operationEnd: Int32Array;
  /** The operations of other streams that operations wait for. */
  readonly events: EventDependencies;
  /** Operations that began later than the profile explains, and the total of these delays. */
  readonly unexplained: {readonly operations: number; readonly ns: number};
}

/** The cost of a waiting call if it is unknown, ns. */
const usualReturnNs = 2_000;
/** A delay of at least this much beyond the explained start is unexplained, ns. */
const leastUnexplainedNs = 20_000;

const replayKey = derivedKey<TraceReplay>('replay');

/**
 * Returns the dependency graph of a trace, without its observed starts and gaps of the GPU. Cached with the trace.
 *
 * The graph is Daydream's (Zhu et al., USENIX ATC 2020, section 4), with dependencies between streams as in Lumos
 * (MLSys 2025).
 *
 * @see docs/metrics.md#replay
 */
export function replayOf(trace: Trace): TraceReplay {
  return derived(trace, replayKey, () => buildReplay(trace));
}

function buildReplay(trace: Trace): TraceReplay {
  const sites = launchSites(trace);
  const queues = streamQueues(trace, sites);
  const calls = replayCalls(trace, sites, queues);
  const operations = launchedOperations(trace, queues, calls);
  const delays = machineDelays(operations);
  const events = eventDependencies(operations, calls, operation => readyNs(operations, delays, operation));
  const graph = new GraphBuilder();
  const {starts, ends} = addOperations(graph, trace);
  const threads = addThreads(graph, trace, calls, call => costOf(call, operations));
  const unexplained = addOrder(graph, operations, {delays, events, starts, ends, calls, threads});
  addReturns(graph, operations, {delays, ends, calls, threads});
  return {...threads, graph: graph.finish(), calls, events, operationStart: starts, operationEnd: ends, unexplained};
}

/** Returns when launch and stream allow an operation to begin. */
function readyNs(
  {before, callOf, endNs, kindOf}: LaunchedOperations,
  delays: MachineDelays,
  operation: number,
): number {
  const call = callOf[operation];
  const kind = kindOf(operation);
  const freeNs = before[operation] < 0 ? -Infinity : endNs(before[operation]) + delays.streamNs(kind);
  if (!call) return freeNs;
  const launchedNs = call.awaited.includes(operation)
    ? call.startNs + delays.copyNs
    : call.endNs + delays.launchNs(kind);
  return Math.max(freeNs, launchedNs);
}

/** Returns the cost of a call to its thread, without its waiting. */
function costOf(call: ReplayCall, {endNs}: LaunchedOperations): number {
  const callNs = call.endNs - call.startNs;
  if (call.awaited.length === 0) return callNs;
  if (call.awaited.some(operation => call.operations.includes(operation))) return Math.min(callNs, usualReturnNs);
  const doneNs = greatest(call.awaited.map(endNs));
  return doneNs > call.startNs ? Math.min(callNs, Math.max(0, call.endNs - doneNs)) : callNs;
}

function addOperations(graph: GraphBuilder, {slices, gpuOperations}: Trace): {starts: Int32Array; ends: Int32Array} {
  const {length, slice} = gpuOperations;
  const [starts, ends] = [new Int32Array(length), new Int32Array(length)];
  for (let operation = 0; operation < length; operation++) {
    const row = slice[operation];
    const runNs = slices.durationNs[row];
    starts[operation] = graph.addMoment('operationStart', slices.startNs[row], row);
    ends[operation] = graph.addMoment('operationEnd', slices.startNs[row] + runNs, row);
    graph.addDependency('run', starts[operation], ends[operation], runNs);
  }
  return {starts, ends};
}

interface Order {
  readonly delays: MachineDelays;
  readonly events: EventDependencies;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly calls: readonly ReplayCall[];
  readonly threads: ThreadMoments;
}

/** Adds what operations wait for: launch, stream and events. */
function addOrder(graph: GraphBuilder, operations: LaunchedOperations, order: Order): TraceReplay['unexplained'] {
  const {length, before, callOf, startNs, endNs, kindOf} = operations;
  const {delays, events, starts, ends, calls, threads} = order;
  calls.forEach((call, at) => {
    for (const operation of call.operations) {
      if (call.awaited.includes(operation)) {
        graph.addDependency('launch', threads.callStart[at], starts[operation], delays.copyNs);
      } else graph.addDependency('launch', threads.callEnd[at], starts[operation], delays.launchNs(kindOf(operation)));
    }
  });
  const unexplained = {operations: 0, ns: 0};
  for (let operation = 0; operation < length; operation++) {
    const previous = before[operation];
    let latestNs = readyNs(operations, delays, operation);
    for (const other of events.get(operation) ?? []) {
      graph.addDependency('event', ends[other], starts[operation], delays.streamNs(kindOf(operation)));
      latestNs = Math.max(latestNs, endNs(other));
    }
    const lateNs = startNs(operation) - latestNs;
    if (previous < 0) {
      // Work that the GPU still had to do when the recording began starts the replay, too.
      const isCopying = callOf[operation]?.awaited.includes(operation) === true;
      if (lateNs > leastUnexplainedNs && !isCopying) {
        graph.addDependency('stream', origin, starts[operation], startNs(operation));
      }
      continue;
    }
    addStreamOrder(graph, operations, {delays, starts, ends}, operation);
    if (lateNs <= leastUnexplainedNs) continue;
    unexplained.operations++;
    unexplained.ns += lateNs;
  }
  return unexplained;
}

/** Operations of one stream that overlap according to CUPTI overlap by the same time in the replay. */
function addStreamOrder(
  graph: GraphBuilder,
  {before, startNs, endNs, kindOf}: LaunchedOperations,
  {delays, starts, ends}: Pick<Order, 'delays' | 'starts' | 'ends'>,
  operation: number,
): void {
  const previous = before[operation];
  const overlapNs = endNs(previous) - startNs(operation);
  if (overlapNs > 0) {
    const aheadNs = endNs(previous) - startNs(previous) - overlapNs;
    graph.addDependency('stream', starts[previous], starts[operation], Math.max(0, aheadNs));
  } else graph.addDependency('stream', ends[previous], starts[operation], delays.streamNs(kindOf(operation)));
}

/** Adds what calls wait for: each returns its own cost after the operations are done. */
function addReturns(
  graph: GraphBuilder,
  operations: LaunchedOperations,
  {delays, ends, calls, threads}: Pick<Order, 'delays' | 'ends' | 'calls' | 'threads'>,
): void {
  const {startNs, endNs} = operations;
  calls.forEach((call, at) => {
    const doneNs = greatest(call.awaited.map(endNs));
    for (const operation of call.awaited) {
      let restNs = doneNs > call.startNs ? Math.max(0, call.endNs - doneNs) : usualReturnNs;
      if (call.operations.includes(operation)) {
        restNs = call.endNs - readyNs(operations, delays, operation) - (endNs(operation) - startNs(operation));
      }
      graph.addDependency('sync', ends[operation], threads.callEnd[at], restNs);
    }
  });
}
