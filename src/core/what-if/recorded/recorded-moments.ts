import type {Trace} from '../../trace/trace.js';
import type {GraphBuilder} from '../replay/replay-graph.js';
import {type DependencyKind} from '../replay/replay-graph.js';
import type {RecordedEvent} from './recorded-events.js';

/** A start or end of a recorded event. */
export interface RecordedMoment {
  readonly row: number;
  readonly ns: number;
  readonly isStart: boolean;
  readonly event: RecordedEvent;
}

/** The graph of recorded events under construction, with two moments for each event. */
export interface RecordedMoments {
  /** By time; ties in the order of the file. */
  readonly inOrder: readonly RecordedMoment[];
  readonly startOf: ReadonlyMap<RecordedEvent, RecordedMoment>;
  readonly endOf: ReadonlyMap<RecordedEvent, RecordedMoment>;
  /** Adds what a moment waits for. A child that ends after its parent gives 0 rather than a negative time. */
  readonly join: (kind: DependencyKind, from: RecordedMoment, to: RecordedMoment, ns: number) => void;
}

/** Adds the moments of events to a graph. */
export function addMoments(graph: GraphBuilder, {slices}: Trace, events: readonly RecordedEvent[]): RecordedMoments {
  const ends = events.flatMap(event => [
    {event, isStart: true, ns: event.startNs},
    {event, isStart: false, ns: event.endNs},
  ]);
  const fileOrder = (event: RecordedEvent) => slices.source[event.slice];
  ends.sort((a, b) => a.ns - b.ns || fileOrder(a.event) - fileOrder(b.event) || Number(b.isStart) - Number(a.isStart));
  const [startOf, endOf] = [new Map<RecordedEvent, RecordedMoment>(), new Map<RecordedEvent, RecordedMoment>()];
  const inOrder = ends.map(({event, isStart, ns}): RecordedMoment => {
    const what = event.operation < 0 ? 'call' : 'operation';
    const row = graph.addMoment(`${what}${isStart ? 'Start' : 'End'}`, ns, event.slice, event.track);
    const moment = {row, ns, isStart, event};
    (isStart ? startOf : endOf).set(event, moment);
    return moment;
  });
  const join: RecordedMoments['join'] = (kind, from, to, ns) => {
    graph.addDependency(kind, from.row, to.row, Math.max(0, ns));
  };
  return {inOrder, startOf, endOf, join};
}
