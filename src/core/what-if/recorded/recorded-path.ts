import type {Trace} from '../../trace/trace.js';
import type {PathGraph, PathPiece} from '../replay/critical-path.js';
import {dependencyKinds, GraphBuilder, momentKinds, type ReplayGraph} from '../replay/replay-graph.js';
import {simulate} from '../replay/simulate.js';
import {replayOf} from '../replay/trace-replay.js';
import {addGpuEdges} from './gpu-edges.js';
import {recordedEvents, type RecordedEvent, type RecordedWindow} from './recorded-events.js';
import {addMoments} from './recorded-moments.js';
import {addThreadEdges} from './thread-edges.js';

/** The critical path of recorded events. */
export interface RecordedPath extends PathGraph {
  /** From the first moment to the last, including pieces that took no time. */
  readonly pieces: readonly PathPiece[];
  /** Its length, ns. */
  readonly ns: number;
  /** Rows of the slices table that it passes through, ascending. */
  readonly slices: Int32Array;
  /** Row of the slices table → how much longer the slice could take without lengthening the path, ns; 0 on the path. */
  readonly slackNs: ReadonlyMap<number, number>;
}

/**
 * Returns the critical path of a window: the longest chain of operators, API calls and GPU operations that waited for
 * each other. It is empty if nothing was recorded.
 *
 * This is the path of Meta's Holistic Trace Analysis (`hta/analyzers/critical_path_analysis.py`), with its edges and
 * weights: time in operators, calls and kernels, from a launch to its start, and between kernels of a stream. Unlike in
 * a replay, CPU time outside operators does not count.
 *
 * @see docs/metrics.md#recorded-path
 */
export function recordedPath(trace: Trace, window: RecordedWindow): RecordedPath {
  const builder = new GraphBuilder();
  const events = recordedEvents(trace, window);
  const moments = addMoments(builder, trace, events);
  const {calls, events: order} = replayOf(trace);
  addThreadEdges(trace, moments, events);
  addGpuEdges(trace, moments, events, {calls, events: order});
  const graph = builder.finish();
  const pieces = longestChain(graph);
  const ns = pieces.reduce((sum, piece) => sum + piece.ns, 0);
  const rows = new Set(pieces.flatMap(({from, to}) => [graph.moments.slice[from], graph.moments.slice[to]]));
  return {
    ...ofOperations(graph, trace, events),
    pieces,
    ns,
    slices: Int32Array.from(rows).sort(),
    slackNs: slack(graph, ns),
  };
}

function ofOperations(graph: ReplayGraph, {gpuOperations}: Trace, events: readonly RecordedEvent[]): PathGraph {
  const operationStart = new Int32Array(gpuOperations.length).fill(-1);
  const operationEnd = operationStart.slice();
  const operationOf = new Map(events.map(({slice, operation}) => [slice, operation]));
  const {kind, slice, length} = graph.moments;
  for (let moment = 1; moment < length; moment++) {
    const operation = operationOf.get(slice[moment]) ?? -1;
    if (operation < 0) continue;
    const isStart = momentKinds[kind[moment]] === 'operationStart';
    (isStart ? operationStart : operationEnd)[operation] = moment;
  }
  return {graph, operationStart, operationEnd};
}

function longestChain(graph: ReplayGraph): PathPiece[] {
  const {moments, dependencies} = graph;
  const {atNs, heldBy} = simulate(graph);
  let moment = 0;
  for (let at = 1; at < moments.length; at++) if (atNs[at] > atNs[moment]) moment = at;
  const pieces: PathPiece[] = [];
  for (let left = moments.length; left > 0 && heldBy[moment] >= 0; left--) {
    const held = heldBy[moment];
    const from = dependencies.from[held];
    pieces.push({kind: dependencyKinds[dependencies.kind[held]], from, to: moment, ns: dependencies.ns[held]});
    moment = from;
  }
  return pieces.reverse();
}

/** Returns, for each event, how much shorter the longest chain through it is than the longest chain. */
function slack(graph: ReplayGraph, pathNs: number): Map<number, number> {
  const {moments, dependencies} = graph;
  const before = simulate(graph).atNs;
  const after = simulate({moments, dependencies: {...dependencies, from: dependencies.to, to: dependencies.from}}).atNs;
  const found = new Map<number, number>();
  for (let moment = 1; moment < moments.length; moment++) {
    const ns = Math.max(0, pathNs - before[moment] - after[moment]);
    const slice = moments.slice[moment];
    found.set(slice, Math.min(found.get(slice) ?? Infinity, ns));
  }
  return found;
}
