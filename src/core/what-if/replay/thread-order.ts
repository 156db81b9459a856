import {stepsOf} from '../../scope/steps.js';
import {getOrAdd} from '../../table/get-or-add.js';
import type {Trace} from '../../trace/trace.js';
import type {ReplayCall} from './cpu-calls.js';
import {findHandoffs} from './find-handoffs.js';
import {origin, type GraphBuilder} from './replay-graph.js';

/** Moments of calls and of steps, in the order of those. */
export interface ThreadMoments {
  readonly callStart: Int32Array;
  readonly callEnd: Int32Array;
  /** In the order of `stepsOf`: the ends of the ranges that mark the steps. */
  readonly stepStart: Int32Array;
  readonly stepEnd: Int32Array;
}

/** A moment of a thread. If it `begins`, it waits for another thread's work rather than for its own thread's time. */
interface Place {
  readonly ns: number;
  readonly moment: number;
  readonly begins?: boolean;
  /** For a call's end: the cost of the call to its thread, without waiting. */
  readonly costNs?: number;
  /** The end of a call that began earlier. */
  readonly ends?: boolean;
}

/**
 * Adds the threads. Each goes from one moment to the next in the time that it took, without waiting. Its first moment
 * keeps its distance from the beginning of the profile.
 *
 * @param costNs the cost of a call, without waiting
 */
export function addThreads(
  graph: GraphBuilder,
  trace: Trace,
  calls: readonly ReplayCall[],
  costNs: (call: ReplayCall) => number,
): ThreadMoments {
  const places = new Map<number, Place[]>();
  const mark = (
    track: number,
    ns: number,
    more: Partial<Place> = {},
    slice = -1,
    kind: 'mark' | 'callStart' | 'callEnd' = 'mark',
  ) => {
    const moment = graph.addMoment(kind, ns, slice, track);
    getOrAdd(places, track, () => []).push({ns, moment, ...more});
    return moment;
  };
  const steps = stepsOf(trace);
  const moments: ThreadMoments = {
    callStart: new Int32Array(calls.length),
    callEnd: new Int32Array(calls.length),
    stepStart: new Int32Array(steps.length),
    stepEnd: new Int32Array(steps.length),
  };
  steps.forEach(({slice, startNs, endNs}, at) => {
    const track = trace.slices.track[slice];
    moments.stepStart[at] = mark(track, startNs, {}, slice);
    moments.stepEnd[at] = mark(track, endNs, {}, slice);
  });
  calls.forEach((call, at) => {
    const {track, startNs, endNs, slice} = call;
    moments.callStart[at] = mark(track, startNs, {}, slice, 'callStart');
    moments.callEnd[at] = mark(track, endNs, {costNs: costNs(call), ends: endNs > startNs}, slice, 'callEnd');
  });
  for (const {waiting, working, stopNs, beginNs, doneNs, resumeNs} of findHandoffs(trace)) {
    const stop = mark(waiting, stopNs);
    const begin = mark(working, beginNs, {begins: true});
    const done = mark(working, doneNs);
    const resume = mark(waiting, resumeNs, {begins: true});
    graph.addDependency('thread', stop, begin, beginNs - stopNs);
    graph.addDependency('thread', done, resume, resumeNs - doneNs);
  }
  // For a CPU recording without steps, the threads themselves are replayed.
  if (steps.length === 0 && calls.length === 0) markThreads(trace, mark);
  for (const list of places.values()) addThread(graph, list);
  return moments;
}

/** Marks where each thread begins and ends. */
function markThreads({slices, tracks}: Trace, mark: (track: number, ns: number) => number): void {
  tracks.forEach(({kind, firstSlice, endSlice}, track) => {
    if (kind !== 'thread' || firstSlice === endSlice) return;
    let endNs = slices.startNs[firstSlice];
    for (let row = firstSlice; row < endSlice; row++) {
      endNs = Math.max(endNs, slices.startNs[row] + slices.durationNs[row]);
    }
    mark(track, slices.startNs[firstSlice]);
    mark(track, endNs);
  });
}

function addThread(graph: GraphBuilder, places: Place[]): void {
  // At equal times, beginnings of threads come first, then ends of calls: a step that a wait ends is over only after
  // the wait. Other moments keep their order: a step starts before a call in it, and a call starts before it ends.
  const rank = ({begins, ends}: Place) => (begins === true ? 0 : ends === true ? 1 : 2);
  places.sort((a, b) => a.ns - b.ns || rank(a) - rank(b) || a.moment - b.moment);
  let before: Place = {ns: 0, moment: origin};
  for (const place of places) {
    const passedNs = place.ns - before.ns;
    const ns = place.begins === true ? 0 : Math.min(passedNs, place.costNs ?? Infinity);
    graph.addDependency('cpu', before.moment, place.moment, ns);
    before = place;
  }
}
