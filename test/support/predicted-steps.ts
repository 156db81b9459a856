import {launchSites} from '../../src/core/attribution/launch-sites.js';
import {median} from '../../src/core/base/median.js';
import type {PredictedWork} from '../../src/core/predicted-gpu/gpu-work-of.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {ReplayPlan} from '../../src/core/what-if/changes/replay-plan.js';
import {refusals} from '../../src/core/what-if/refusals.js';
import {replayWindows} from '../../src/core/what-if/replay/replay-windows.js';
import {simulate} from '../../src/core/what-if/replay/simulate.js';
import {replayOf} from '../../src/core/what-if/replay/trace-replay.js';
import {lengthsIn} from '../../src/core/what-if/what-if.js';

/** The error of a step whose kernels are predicted. */
export interface StepError {
  /** Of the step, or of the whole profile if it has no steps; a fraction. */
  readonly error: number;
  /** The fraction of the GPU work in operators that were predicted. */
  readonly predictedShare: number;
}

/**
 * Compares a step of a GPU's profile with the same step with predicted kernels; null if nothing is predicted, or if it
 * cannot be replayed.
 */
export function stepErrorOf(trace: Trace, work: readonly PredictedWork[]): StepError | null {
  if (refusals(trace).length > 0 || work.every(({gpuNs}) => gpuNs === 0)) return null;
  const replay = replayOf(trace);
  const plan = new ReplayPlan(trace, replay);
  const predictedShare = takePredicted(trace, plan, new Map(work.map(({slice, gpuNs}) => [slice, gpuNs])));
  const windows = replayWindows(trace, replay, null);
  const changedNs = median(lengthsIn(windows, simulate(replay.graph, {ns: plan.ns})));
  return {error: changedNs / median(windows.map(({measuredNs}) => measuredNs)) - 1, predictedShare};
}

/** Sets the total time of each operator's operations to its predicted time; returns their share of all GPU work. */
function takePredicted(trace: Trace, plan: ReplayPlan, predictedNs: ReadonlyMap<number, number>): number {
  const {slices, gpuOperations} = trace;
  const {launchOf, slice: siteSlice} = launchSites(trace);
  const operationsOf = new Map<number, number[]>();
  const around = operatorsAround(trace, predictedNs);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const site = launchOf[operation] ?? -1;
    const operator = site < 0 ? undefined : around(siteSlice[site] ?? -1);
    if (operator === undefined) continue;
    operationsOf.set(operator, [...(operationsOf.get(operator) ?? []), operation]);
  }
  const durationOf = (operation: number) => slices.durationNs[gpuOperations.slice[operation] ?? -1] ?? NaN;
  let coveredNs = 0;
  for (const [operator, operations] of operationsOf) {
    const measuredNs = operations.reduce((sum, operation) => sum + durationOf(operation), 0);
    coveredNs += measuredNs;
    const factor = (predictedNs.get(operator) ?? NaN) / measuredNs;
    if (measuredNs > 0) for (const operation of operations) plan.scaleOperation(operation, factor);
  }
  let allNs = 0;
  for (let operation = 0; operation < gpuOperations.length; operation++) allNs += durationOf(operation);
  return coveredNs / allNs;
}

/** By call, the predicted operator of its thread that contains it. */
function operatorsAround({slices}: Trace, predictedNs: ReadonlyMap<number, number>) {
  const ofTrack = new Map<number, number[]>();
  for (const [slice, ns] of predictedNs) {
    if (ns <= 0) continue;
    const track = slices.track[slice] ?? -1;
    ofTrack.set(track, [...(ofTrack.get(track) ?? []), slice]);
  }
  return (call: number) => {
    const [track, atNs] = [slices.track[call] ?? -1, slices.startNs[call] ?? NaN];
    const before = ofTrack.get(track)?.findLast(slice => (slices.startNs[slice] ?? NaN) <= atNs);
    const isInside =
      before !== undefined && (slices.startNs[before] ?? NaN) + (slices.durationNs[before] ?? NaN) > atNs;
    return isInside ? before : undefined;
  };
}
