import {say} from '../base/say.js';
import {TraceError} from '../base/errors.js';
import type {DetailKind, ReportDetails} from '../figures/report-details.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {callStacks, stackRows, type CallStacks} from './call-stacks.js';
import {capturedGraphs, type CapturedGraph} from './captured-graphs.js';
import {expandReplays, type ExpandedReplay} from './expand-replays.js';
import {graphReplays, type GraphReplay} from './graph-replays.js';
import {matchReplays, type GraphSequence, type ReplayMatch} from './match-replays.js';
import {factsOfGraph, factsOfReplay, isNodeOf, type NodeFacts} from './node-facts.js';
import {doesNotFit, matchNote, noReplays} from './replay-sentences.js';
import {capturedStack} from './stacks-of-replay.js';

/** What must be read from the two files in addition to their traces. */
export const replayDetailKinds: ReadonlySet<DetailKind> = new Set(['grids', 'graphNodes']);
export const captureDetailKinds: ReadonlySet<DetailKind> = new Set(['launchedKernels']);

/** A profile in which graphs were captured. */
export interface Capture {
  readonly trace: Trace;
  readonly details: ReportDetails;
  /** Its name in notes and errors. */
  readonly name: string;
}

/**
 * Returns the trace with operators, modules, Python frames and ranges added for the work that its graphs replayed. They
 * come from the calls that captured the graphs, in another trace or in the same one.
 *
 * A note states the share of the replayed work that has a call, and the basis of the match.
 *
 * @param details details of `trace`: `replayDetailKinds`
 * @throws TraceError `capture/no-replays`, `capture/no-graphs`, `capture/does-not-fit`, `capture/too-large`
 * @see docs/metrics.md#graph-replays
 */
export function replayedTrace(trace: Trace, details: ReportDetails, capture: Capture): Trace {
  const replays = graphReplays(trace, details.graphNodes ?? null);
  if (replays.length === 0) throw noReplays(trace);
  const graphs = capturedGraphs(capture.trace);
  if (graphs.length === 0) {
    const text = say(
      '{0} shows no graph being captured: record the run that captures it, with Python stacks.',
      capture.name,
    );
    throw new TraceError('capture/no-graphs', text);
  }
  const stacks = callStacks(
    capture.trace,
    graphs.flatMap(({calls}) => Array.from(calls, call => capture.trace.apiCalls.slice[call])),
  );
  const facts = graphs.map(graph =>
    factsOfGraph(capture.trace, graph, capture.details.launchedKernels ?? null, slice =>
      innermostOperator(capture.trace, stacks, slice),
    ),
  );
  const ofReplays = replays.map(replay => factsOfReplay(trace, replay, details));
  const {matches, ambiguous} = matched(ofReplays, facts, graphs, capture, stacks);
  if (!matches.some(match => match !== null)) throw doesNotFit(ofReplays, facts, ambiguous, capture.name);
  const expanded = expandReplays(
    trace,
    capture.trace,
    expandedReplays(trace, replays, graphs, matches, capture, stacks),
  );
  const isNamed = matches.every(
    match => match === null || facts[match.graph].every(({kind, kernel}) => kind !== 'kernel' || kernel !== null),
  );
  return {...expanded, notes: [...trace.notes, matchNote(expanded, replays, ambiguous, isNamed, capture.name)]};
}

/** Numbers identical replays and graphs, and matches them. */
function matched(
  replays: readonly (readonly NodeFacts[] | null)[],
  graphs: readonly (readonly NodeFacts[])[],
  captured: readonly CapturedGraph[],
  {trace}: Capture,
  stacks: CallStacks,
): ReturnType<typeof matchReplays> {
  const replayKinds = new Kinds();
  const graphKinds = new Kinds();
  const replaySequence = replayKinds.sequence(replays.map(facts => facts ?? []));
  const graphSequence = graphKinds.sequence(graphs);
  const namesOf = captured.map(({calls}) =>
    Array.from(calls, call => stacks.nameOf[stacks.nodeOf.get(trace.apiCalls.slice[call]) ?? -1] ?? -1).join(),
  );
  return matchReplays(
    replaySequence,
    graphSequence,
    (replay, graph, operation, node) => isNodeOf(replayKinds.facts[replay][operation], graphKinds.facts[graph][node]),
    (graph, other) => namesOf[graph] === namesOf[other],
  );
}

/** Numbers sequences of facts; equal sequences have the same number. */
class Kinds {
  readonly facts: (readonly NodeFacts[])[] = [];
  readonly #known = new Map<string, number>();

  sequence(lists: readonly (readonly NodeFacts[])[]): GraphSequence {
    const kindOf = Int32Array.from(lists, list => this.#kindOf(list));
    return {kindOf, lengths: this.facts.map(({length}) => length)};
  }

  #kindOf(list: readonly NodeFacts[]): number {
    const key = JSON.stringify(list.map(({kind, kernel, grid, operator}) => [kind, kernel, grid, operator]));
    const known = this.#known.get(key) ?? this.facts.push(list) - 1;
    this.#known.set(key, known);
    return known;
  }
}

function expandedReplays(
  trace: Trace,
  replays: readonly GraphReplay[],
  graphs: readonly CapturedGraph[],
  matches: readonly (ReplayMatch | null)[],
  capture: Capture,
  stacks: CallStacks,
): ExpandedReplay[] {
  const launches = replays.map(({call}) => trace.apiCalls.slice[call]);
  const around = callStacks(trace, launches);
  return replays.flatMap(({operations}, replay) => {
    const match = matches[replay];
    if (!match) return [];
    const launch = launches[replay];
    const names = stackRows(around.tree, around.nodeOf.get(launch) ?? -1).map(row =>
      trace.strings.get(trace.slices.name[row]),
    );
    const {calls, beginNs} = graphs[match.graph];
    const known = Array.from(operations.keys()).filter(at => match.nodes[at] >= 0);
    const stackOf = (at: number) =>
      capturedStack(capture.trace, stacks, capture.trace.apiCalls.slice[calls[match.nodes[at]]], beginNs, names);
    return [{launch, operations: known.map(at => operations[at]), stacks: known.map(stackOf)}];
  });
}

function innermostOperator({slices, strings}: Trace, {tree, nodeOf}: CallStacks, call: number): string | null {
  for (let node = nodeOf.get(call) ?? -1; node >= 0; node = tree.parent[node]) {
    const row = tree.range[node];
    if (slices.kind[row] === kindIndex.cpu_op) return strings.get(slices.name[row]);
  }
  return null;
}
