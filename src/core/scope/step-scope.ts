import type {LaunchSites} from '../attribution/launch-sites.js';
import type {Chosen} from '../attribution/chosen.js';
import {derived, derivedKey} from '../trace/derived.js';
import {groupRows, type GroupedRows} from '../table/group-rows.js';
import {firstWhere} from '../table/search.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from './attribution-of.js';
import {stepsOf, type Step} from './steps.js';

/**
 * All steps of a trace together, for "per step" figures. Steps of several processes with the same number are one step.
 */
export interface StepScope {
  /** Distinct numbers, ascending; empty if the trace has no steps. */
  readonly numbers: readonly number[];
  /** Operation → index in `numbers` of its step, -1 for none. */
  readonly stepOf: Int32Array;
  /** Slice of a thread → index in `numbers` of the step of its process in which it begins, -1 for none. */
  readonly stepOfSlice: (row: number) => number;
  /** Operations by step. */
  readonly operations: GroupedRows;
  /** The operations and slices of all steps: sums over them are the sums over the individual steps. */
  readonly chosen: Chosen;
  /** GPU work of the steps. */
  readonly workNs: number;
  /** Sum of the wall time of the ranges that mark the steps. */
  readonly wallNs: number;
}

const stepScopeKey = derivedKey<StepScope>('step scope');

/** Returns the steps of a trace, with their operations and slices. @see docs/metrics.md#selection */
export function stepScope(trace: Trace): StepScope {
  return derived(trace, stepScopeKey, () => makeScope(trace));
}

/**
 * Returns, for each operation, the step (index in `stepsOf`) of its process that was open when it was launched, the
 * last to begin if several were; without a call, when it started. -1 for none.
 */
export function stepOfOperations(trace: Trace, {siteOf, slice}: LaunchSites): Int32Array {
  const {slices, gpuOperations} = trace;
  const steps = stepsOf(trace);
  const stepOf = new Int32Array(gpuOperations.length);
  for (let operation = 0; operation < stepOf.length; operation++) {
    const site = siteOf[operation];
    const atNs = slices.startNs[site < 0 ? gpuOperations.slice[operation] : slice[site]];
    stepOf[operation] = stepAt(steps, gpuOperations.process[operation], atNs);
  }
  return stepOf;
}

/** Steps of at most this many other processes are skipped: a node has fewer. */
const mostProcesses = 256;

/** Returns the step of a process that is open at a time, the last to begin if several are; -1 for none. */
function stepAt(steps: readonly Step[], process: number, atNs: number): number {
  // The last step that has begun by then: steps are in order of start.
  const last = firstWhere(0, steps.length, at => steps[at].startNs > atNs) - 1;
  // Steps of other processes may be in between.
  let at = last;
  while (at >= 0 && at > last - mostProcesses && steps[at].process !== process) at--;
  return at >= 0 && steps[at].process === process && atNs < steps[at].endNs ? at : -1;
}

function makeScope(trace: Trace): StepScope {
  const {slices, tracks} = trace;
  const steps = stepsOf(trace);
  const numbers = [...new Set(steps.map(({number}) => number))].sort((a, b) => a - b);
  const placeOf = new Map(numbers.map((number, place) => [number, place]));
  const place = Int32Array.from(steps, ({number}) => placeOf.get(number) ?? -1);
  const stepOf = stepOfOperations(trace, attributionOf(trace).sites).map(step => (step < 0 ? -1 : place[step]));
  const stepOfSlice = (row: number) => {
    const step = stepAt(steps, tracks[slices.track[row]].process, slices.startNs[row]);
    return step < 0 ? -1 : place[step];
  };
  const isSliceChosen = (row: number) => stepOfSlice(row) >= 0;
  const operations = Uint8Array.from(stepOf, step => (step < 0 ? 0 : 1));
  return {
    numbers,
    stepOf,
    stepOfSlice,
    operations: groupRows(stepOf, numbers.length),
    chosen: {operations, isSliceChosen, fromNs: -Infinity, toNs: Infinity},
    workNs: workOf(trace, operations),
    wallNs: steps.reduce((sum, {startNs, endNs}) => sum + endNs - startNs, 0),
  };
}

function workOf({slices, gpuOperations}: Trace, operations: Uint8Array): number {
  let workNs = 0;
  for (let operation = 0; operation < operations.length; operation++) {
    if (operations[operation] === 1) workNs += slices.durationNs[gpuOperations.slice[operation]];
  }
  return workNs;
}
