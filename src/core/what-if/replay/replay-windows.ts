import {launchSites} from '../../attribution/launch-sites.js';
import {stepOfOperations} from '../../scope/step-scope.js';
import {stepSpans} from '../../scope/step-spans.js';
import {stepsNumbered, stepsOf} from '../../scope/steps.js';
import type {Trace} from '../../trace/trace.js';
import {origin} from './replay-graph.js';
import type {Simulation} from './simulate.js';
import type {TraceReplay} from './trace-replay.js';

/** A part of a trace whose time is measured and replayed: a step, or all GPU work. */
export interface ReplayWindow {
  /** Number of the step; null for the whole trace. */
  readonly step: number | null;
  readonly measuredNs: number;
  /** Returns when it begins and ends in a simulation, and the moment that ends it. */
  readonly within: (simulation: Simulation) => SimulatedWindow;
}

/** Ns from the origin, and rows of the moments. */
export interface SimulatedWindow {
  readonly startNs: number;
  readonly endNs: number;
  readonly endMoment: number;
}

/**
 * Returns the windows for a question: a step by its number, of every process that has it; else the steps without
 * the first, which is a warm-up, unless it is the only one; else everything from the first to the last GPU
 * operation, or without any, from the first to the last moment of the threads.
 *
 * Steps are those of `stepSpans`: from the later of their range's start and their predecessor's end, to the later of
 * their range's end and the end of the last operation launched in them.
 *
 * @throws TraceError `selection/no-match` if there is no such step
 * @see docs/metrics.md#step
 */
export function replayWindows(trace: Trace, replay: TraceReplay, step: number | null): ReplayWindow[] {
  const all = stepWindows(trace, replay);
  if (step !== null) {
    const wanted = new Set(stepsNumbered(trace, step).map(({slice}) => slice));
    return stepsOf(trace).flatMap(({slice}, at) => (wanted.has(slice) ? [all[at]] : []));
  }
  if (all.length === 0) return [wholeWindow(trace, replay)];
  const firsts = new Set<number>();
  const others = stepsOf(trace).flatMap(({process}, at) => {
    if (firsts.has(process)) return all[at].measuredNs > 0 ? [all[at]] : [];
    firsts.add(process);
    return [];
  });
  return others.length > 0 ? others : [all[0]];
}

function stepWindows(trace: Trace, replay: TraceReplay): ReplayWindow[] {
  const sites = launchSites(trace);
  const stepOf = stepOfOperations(trace, sites);
  const steps = stepsOf(trace);
  const operations: number[][] = steps.map(() => []);
  stepOf.forEach((step, operation) => {
    if (step >= 0) operations[step].push(operation);
  });
  const endOf = (at: number, {atNs}: Simulation) => {
    let moment = replay.stepEnd[at];
    for (const operation of operations[at]) {
      if (atNs[replay.operationEnd[operation]] > atNs[moment]) moment = replay.operationEnd[operation];
    }
    return moment;
  };
  const spans = stepSpans(trace, sites);
  return spans.map((span, at) => {
    const before = predecessor(spans, at);
    const within = (simulation: Simulation): SimulatedWindow => {
      const {atNs} = simulation;
      const endMoment = endOf(at, simulation);
      const freeNs = before < 0 ? -Infinity : atNs[endOf(before, simulation)];
      const startNs = Math.max(atNs[replay.stepStart[at]], freeNs);
      return {startNs, endNs: Math.max(startNs, atNs[endMoment]), endMoment};
    };
    return {step: span.number, measuredNs: span.endNs - span.startNs, within};
  });
}

/** Returns the previous step of the same process that does not contain this one; -1 for none. */
function predecessor(spans: readonly {process: number; startNs: number; endNs: number}[], at: number): number {
  for (let before = at - 1; before >= 0; before--) {
    if (spans[before].process === spans[at].process && spans[before].endNs <= spans[at].startNs) return before;
  }
  return -1;
}

/**
 * Returns the window from the first to the last GPU operation; without any, from the first to the last moment of the
 * threads.
 */
export function wholeWindow({gpuOperations}: Trace, {graph, operationStart, operationEnd}: TraceReplay): ReplayWindow {
  const {measuredNs, track} = graph.moments;
  const hasGpu = gpuOperations.length > 0;
  const ofThreads = Array.from(track.keys()).filter(moment => track[moment] >= 0);
  const starts = hasGpu ? Array.from(operationStart) : ofThreads;
  const ends = hasGpu ? Array.from(operationEnd) : ofThreads;
  const within = (timeOf: Float64Array): SimulatedWindow => {
    let endMoment = ends.at(0) ?? origin;
    for (const moment of ends) if (timeOf[moment] > timeOf[endMoment]) endMoment = moment;
    let startNs = timeOf[endMoment];
    for (const moment of starts) if (timeOf[moment] < startNs) startNs = timeOf[moment];
    return {startNs, endNs: timeOf[endMoment], endMoment};
  };
  const {startNs, endNs} = within(measuredNs);
  return {step: null, measuredNs: endNs - startNs, within: ({atNs}) => within(atNs)};
}
