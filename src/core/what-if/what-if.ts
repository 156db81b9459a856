import {median} from '../base/median.js';
import {formatDuration} from '../format/duration.js';
import {plural} from '../format/count.js';
import type {Trace, TraceNote} from '../trace/trace.js';
import {criticalPath} from './critical-path.js';
import {pathRows, type PathRow} from './path-rows.js';
import {refusals} from './refusals.js';
import {replayWindows, type ReplayWindow} from './replay-windows.js';
import {simulate, type Simulation} from './simulate.js';
import {replayOf} from './trace-replay.js';

/** What a replay answers; whole ns. */
export interface WhatIfAnswer {
  readonly measuredNs: number;
  /** Null where the trace cannot be replayed: a note says why. */
  readonly replayedNs: number | null;
  readonly errorPercent: number | null;
  readonly predictedNs: number | null;
  readonly intervalNs: readonly [low: number, high: number] | null;
  readonly criticalPath: readonly PathRow[];
  readonly notes: readonly TraceNote[];
}

/** A step is replayed well up to this; beyond it nothing is predicted. */
const mostErrorPercent = 10;

/**
 * Replays a trace: what a step takes by its durations, CPU time and dependencies alone.
 *
 * @param step its number; null for the median of the complete steps but the first, or of a trace without steps for the whole
 * @throws TraceError `selection/no-match`
 * @see docs/metrics.md#replay
 */
export function replayAnswer(trace: Trace, step: number | null): WhatIfAnswer {
  const refused = refusals(trace);
  const replay = replayOf(trace);
  const windows = replayWindows(trace, replay, step);
  const measuredNs = Math.round(median(windows.map(window => window.measuredNs)));
  if (refused.length > 0) {
    const nothing = {replayedNs: null, errorPercent: null, predictedNs: null, intervalNs: null, criticalPath: []};
    return {measuredNs, ...nothing, notes: refused};
  }
  const simulation = simulate(replay.graph);
  const replayed = lengthsIn(windows, simulation);
  const replayedNs = Math.round(median(replayed));
  const errorPercent = measuredNs > 0 ? round(100 * (replayedNs / measuredNs - 1)) : 0;
  const shown = windows[nearest(replayed, replayedNs)];
  const path = criticalPath(replay.graph, simulation, shown.within(simulation));
  const isGood = Math.abs(errorPercent) <= mostErrorPercent;
  const halfNs = (Math.abs(errorPercent) / 100) * measuredNs + spreadNs(windows);
  return {
    measuredNs,
    replayedNs,
    errorPercent,
    predictedNs: isGood ? replayedNs : null,
    intervalNs: isGood ? [Math.round(replayedNs - halfNs), Math.round(replayedNs + halfNs)] : null,
    criticalPath: pathRows(trace, replay, path),
    notes: notesOf(windows, shown, replay.unexplained, isGood),
  };
}

/** What windows take in a simulation, ns. */
export function lengthsIn(windows: readonly ReplayWindow[], simulation: Simulation): number[] {
  return windows.map(window => {
    const {startNs, endNs} = window.within(simulation);
    return endNs - startNs;
  });
}

/** Half of what steps differ by: half the distance between the quartiles; 0 for fewer than four. */
function spreadNs(windows: readonly ReplayWindow[]): number {
  const sorted = windows.map(({measuredNs}) => measuredNs).sort((a, b) => a - b);
  if (sorted.length < 4) return 0;
  return (sorted[Math.floor(0.75 * (sorted.length - 1))] - sorted[Math.ceil(0.25 * (sorted.length - 1))]) / 2;
}

function nearest(values: readonly number[], to: number): number {
  return values.reduce((best, value, at) => (Math.abs(value - to) < Math.abs(values[best] - to) ? at : best), 0);
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

function notesOf(
  windows: readonly ReplayWindow[],
  shown: ReplayWindow,
  unexplained: {readonly operations: number; readonly ns: number},
  isGood: boolean,
): TraceNote[] {
  const notes: TraceNote[] = [];
  const {step} = shown;
  if (step === null) {
    notes.push({
      code: 'replay/whole',
      text: 'The profile has no steps: the time from the first to the last GPU operation is replayed.',
    });
  } else if (windows.length > 1) {
    const text = `The median of ${plural(windows.length, 'step')}; the critical path is that of step ${String(step)}.`;
    notes.push({code: 'replay/steps', text});
  }
  if (!isGood) {
    const text = 'The replay differs from what was measured by more than 10 %, so nothing is predicted.';
    notes.push({code: 'replay/inexact', text});
  }
  if (unexplained.operations > 0) {
    const text = `${plural(unexplained.operations, 'operation')} began later than the profile explains, by ${formatDuration(unexplained.ns)} in all: the replay begins them earlier.`;
    notes.push({code: 'replay/unexplained', text});
  }
  return notes;
}
