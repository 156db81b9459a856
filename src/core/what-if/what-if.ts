import {median} from '../base/median.js';
import {say, template} from '../base/say.js';
import {formatDuration} from '../format/duration.js';
import {counted} from '../format/count.js';
import type {OperatorShapes} from '../figures/operator-inputs.js';
import type {Trace, TraceNote} from '../trace/trace.js';
import {bounds, type Change} from './changes/change.js';
import {ReplayPlan} from './changes/replay-plan.js';
import {criticalPath} from './replay/critical-path.js';
import {pathRows, type PathRow} from './replay/path-rows.js';
import {refusals} from './refusals.js';
import {replayWindows, type ReplayWindow} from './replay/replay-windows.js';
import {simulate, type Simulation} from './replay/simulate.js';
import {replayOf, type TraceReplay} from './replay/trace-replay.js';

/** The answer of a replay; whole ns. */
export interface WhatIfAnswer {
  readonly measuredNs: number;
  /** Null if the trace cannot be replayed; a note gives the reason. */
  readonly replayedNs: number | null;
  readonly errorPercent: number | null;
  readonly predictedNs: number | null;
  readonly intervalNs: readonly [low: number, high: number] | null;
  readonly criticalPath: readonly PathRow[];
  readonly notes: readonly TraceNote[];
}

/** Up to this error, a step's replay is good; beyond it, nothing is predicted. */
const mostErrorPercent = 10;

/**
 * Replays a trace: returns how long a step takes according to its durations, CPU time and dependencies, and how long it
 * would take with changes.
 *
 * Changes are applied one after the other. The prediction is the measured time, times the ratio of the replays with and
 * without the changes. The critical path is the one with the changes. If one change cannot be predicted, nothing is; a
 * note gives the reason.
 *
 * @param step its number; null for the median of the steps without the first, or for the whole trace if it has
 *   no steps
 * @param shapes the shapes of operators' inputs, for changes that need them
 * @throws TraceError `selection/no-match`
 * @see docs/metrics.md#replay
 */
export function whatIf(
  trace: Trace,
  step: number | null,
  changes: readonly Change[] = [],
  shapes: OperatorShapes | null = null,
): WhatIfAnswer {
  const refused = refusals(trace);
  const replay = replayOf(trace);
  const windows = replayWindows(trace, replay, step);
  const measuredNs = Math.round(median(windows.map(window => window.measuredNs)));
  const nothing = {predictedNs: null, intervalNs: null};
  if (refused.length > 0) {
    return {measuredNs, replayedNs: null, errorPercent: null, ...nothing, criticalPath: [], notes: refused};
  }
  const simulation = simulate(replay.graph);
  const replayedNs = Math.round(median(lengthsIn(windows, simulation)));
  const errorPercent = measuredNs > 0 ? round(100 * (replayedNs / measuredNs - 1)) : 0;
  const figures = {measuredNs, replayedNs, errorPercent};
  const isGood = Math.abs(errorPercent) <= mostErrorPercent;
  const changed =
    changes.length === 0
      ? unchanged(simulation, replayedNs)
      : changedReplays(trace, {replay, windows, shapes}, changes);
  const shown = windows[nearest(lengthsIn(windows, changed.simulation))];
  const path = criticalPath(replay.graph, changed.simulation, shown.within(changed.simulation));
  const notes = [
    ...changed.notes,
    ...notesOf(windows, shown, replay.unexplained, isGood, trace.gpuOperations.length > 0),
  ];
  const rest = {criticalPath: pathRows(trace, replay, path), notes};
  if (!isGood || changed.isUnknown) return {...figures, ...nothing, ...rest};
  const doubtNs = (Math.abs(errorPercent) / 100) * measuredNs + spreadNs(windows);
  return {...figures, ...prediction(figures, changed.lengthsNs, changes.length > 0, doubtNs), ...rest};
}

/** The result of a replay with changes. */
interface ChangedReplay {
  /** The simulation for the expected value. */
  readonly simulation: Simulation;
  /** The median of the windows: expected, least, greatest. */
  readonly lengthsNs: readonly [likelyNs: number, leastNs: number, mostNs: number];
  readonly isUnknown: boolean;
  readonly notes: readonly TraceNote[];
}

const unchanged = (simulation: Simulation, ns: number): ChangedReplay => ({
  simulation,
  lengthsNs: [ns, ns, ns],
  isUnknown: false,
  notes: [],
});

function changedReplays(
  trace: Trace,
  {
    replay,
    windows,
    shapes,
  }: {
    readonly replay: TraceReplay;
    readonly windows: readonly ReplayWindow[];
    readonly shapes: OperatorShapes | null;
  },
  changes: readonly Change[],
): ChangedReplay {
  const runs = bounds.map(bound => {
    const plan = new ReplayPlan(trace, replay, shapes);
    const effects = changes.map(change => change.alter(plan, bound));
    return {effects, simulation: simulate(replay.graph, {ns: plan.ns})};
  });
  const [likely, leastRun, mostRun] = runs;
  const notes = likely.effects.map((effect, at): TraceNote => {
    const {text} = changes[at];
    return 'basis' in effect
      ? {code: 'what-if/basis', text: say(changeNotes['what-if/basis'], text, effect.basis)}
      : {code: 'what-if/unknown', text: say(changeNotes['what-if/unknown'], text, effect.unknown)};
  });
  const lengthOf = ({simulation}: {readonly simulation: Simulation}) => median(lengthsIn(windows, simulation));
  const isUnknown = likely.effects.some(effect => 'unknown' in effect);
  return {
    simulation: likely.simulation,
    lengthsNs: [lengthOf(likely), lengthOf(leastRun), lengthOf(mostRun)],
    isUnknown,
    notes,
  };
}

/** Notes about a change, by code: templates of the change, and of the basis of its prediction or why there is none. */
export const changeNotes: Readonly<Record<string, string>> = {
  'what-if/basis': template('{0}: {1}.'),
  'what-if/unknown': template('{0} cannot be predicted: {1}.'),
};

/** The uncertainty of a change's effect, as a share: recorded work never equals another run's exactly. */
const doubtOfChange = 0.1;

function prediction(
  {measuredNs, replayedNs}: {readonly measuredNs: number; readonly replayedNs: number},
  [likelyNs, leastNs, mostNs]: ChangedReplay['lengthsNs'],
  isChanged: boolean,
  doubtNs: number,
): Pick<WhatIfAnswer, 'predictedNs' | 'intervalNs'> {
  // Without changes, the replay itself is the prediction.
  const scale = isChanged && replayedNs > 0 ? measuredNs / replayedNs : 1;
  const predictedNs = likelyNs * scale;
  const halfNs = doubtNs + doubtOfChange * Math.abs(predictedNs - measuredNs) * Number(isChanged);
  const low = Math.min(likelyNs, leastNs, mostNs) * scale - halfNs;
  const high = Math.max(likelyNs, leastNs, mostNs) * scale + halfNs;
  return {predictedNs: Math.round(predictedNs), intervalNs: [Math.max(0, Math.round(low)), Math.round(high)]};
}

/** Returns the time of windows in a simulation, ns. */
export function lengthsIn(windows: readonly ReplayWindow[], simulation: Simulation): number[] {
  return windows.map(window => {
    const {startNs, endNs} = window.within(simulation);
    return endNs - startNs;
  });
}

/** Returns half of the steps' variation: half the interquartile range; 0 for fewer than four. */
function spreadNs(windows: readonly ReplayWindow[]): number {
  const sorted = windows.map(({measuredNs}) => measuredNs).sort((a, b) => a - b);
  if (sorted.length < 4) return 0;
  return (sorted[Math.floor(0.75 * (sorted.length - 1))] - sorted[Math.ceil(0.25 * (sorted.length - 1))]) / 2;
}

/** Returns the index of the value nearest to the median. */
function nearest(values: readonly number[]): number {
  const middle = median(values);
  return values.reduce(
    (best, value, at) => (Math.abs(value - middle) < Math.abs(values[best] - middle) ? at : best),
    0,
  );
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

function notesOf(
  windows: readonly ReplayWindow[],
  shown: ReplayWindow,
  unexplained: {readonly operations: number; readonly ns: number},
  isGood: boolean,
  hasGpu: boolean,
): TraceNote[] {
  const notes: TraceNote[] = [];
  const {step} = shown;
  if (step === null) {
    const text = hasGpu
      ? say('The profile has no steps: the time from the first to the last GPU operation is replayed.')
      : say('The profile has no steps: the time of all threads is replayed.');
    notes.push({code: 'replay/whole', text});
  } else if (windows.length > 1) {
    const text = counted(
      windows.length,
      'The median of {0} step. The critical path is that of step {1}.',
      'The median of {0} steps. The critical path is that of step {1}.',
      step,
    );
    notes.push({code: 'replay/steps', text});
  }
  if (!isGood) {
    const text = say('The replay differs from the measurement by more than 10 %, so nothing is predicted.');
    notes.push({code: 'replay/inexact', text});
  }
  if (unexplained.operations > 0) {
    const text = counted(
      unexplained.operations,
      '{0} operation began later than the profile explains, by {1}: the replay begins it earlier.',
      '{0} operations began later than the profile explains, by {1} in all: the replay begins them earlier.',
      formatDuration(unexplained.ns),
    );
    notes.push({code: 'replay/unexplained', text});
  }
  return notes;
}
