import type {LaunchSites} from '../attribution/launch-sites.js';
import type {Chosen} from '../attribution/chosen.js';
import {derived, derivedKey} from '../trace/derived.js';
import {groupRows, type GroupedRows} from '../table/group-rows.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from './attribution-of.js';
import {stepFinderOf, stepPeriods} from './innermost-steps.js';
import {stepsOf} from './steps.js';

/** The steps that operations and slices belong to. Steps of several processes with the same number are one step. */
export interface StepPlaces {
  /** Distinct numbers, ascending; empty if the trace has no steps. */
  readonly numbers: readonly number[];
  /** Operation → index in `numbers` of its step, -1 for none. */
  readonly stepOf: Int32Array;
  /** Slice of a thread → index in `numbers` of the step of its process in which it begins, -1 for none. */
  readonly stepOfSlice: (row: number) => number;
}

/** All steps of a trace together, for "per step" figures. */
export interface StepScope extends StepPlaces {
  /** Operations by step. */
  readonly operations: GroupedRows;
  /** The operations and slices of all steps: sums over them are the sums over the individual steps. */
  readonly chosen: Chosen;
  /** GPU work of the steps. */
  readonly workNs: number;
  /** Wall time in which a step is open, summed over the processes. */
  readonly wallNs: number;
}

const stepPlacesKey = derivedKey<StepPlaces>('step places');

/** Returns the steps of a trace, and the step of each operation and slice. @see docs/metrics.md#selection */
export function stepPlaces(trace: Trace): StepPlaces {
  return derived(trace, stepPlacesKey, () => findPlaces(trace));
}

const stepScopeKey = derivedKey<StepScope>('step scope');

/** Returns the steps of a trace, with their operations and sums over all of them. @see docs/metrics.md#selection */
export function stepScope(trace: Trace): StepScope {
  return derived(trace, stepScopeKey, () => makeScope(trace));
}

/**
 * Returns, for each operation, the step (index in `stepsOf`) of its process that was open when it was launched, the
 * last to begin if several were; without a call, when it started. -1 for none.
 */
export function stepOfOperations(trace: Trace, {siteOf, slice}: LaunchSites): Int32Array {
  const {slices, gpuOperations} = trace;
  const stepAt = stepFinderOf(trace);
  const stepOf = new Int32Array(gpuOperations.length);
  for (let operation = 0; operation < stepOf.length; operation++) {
    const site = siteOf[operation];
    const atNs = slices.startNs[site < 0 ? gpuOperations.slice[operation] : slice[site]];
    stepOf[operation] = stepAt(gpuOperations.process[operation], atNs);
  }
  return stepOf;
}

function findPlaces(trace: Trace): StepPlaces {
  const {slices, tracks} = trace;
  const steps = stepsOf(trace);
  const numbers = [...new Set(steps.map(({number}) => number))].sort((a, b) => a - b);
  const placeOf = new Map(numbers.map((number, place) => [number, place]));
  const place = Int32Array.from(steps, ({number}) => placeOf.get(number) ?? -1);
  const stepOf = stepOfOperations(trace, attributionOf(trace).sites);
  for (let i = 0; i < stepOf.length; i++) if (stepOf[i] >= 0) stepOf[i] = place[stepOf[i]];
  const stepAt = stepFinderOf(trace);
  const processOf = Int32Array.from(tracks, ({process}) => process);
  const stepOfSlice = (row: number) => {
    const step = stepAt(processOf[slices.track[row]], slices.startNs[row]);
    return step < 0 ? -1 : place[step];
  };
  return {numbers, stepOf, stepOfSlice};
}

function makeScope(trace: Trace): StepScope {
  const places = stepPlaces(trace);
  const {stepOf, stepOfSlice, numbers} = places;
  const isSliceChosen = (row: number) => stepOfSlice(row) >= 0;
  const operations = new Uint8Array(stepOf.length);
  for (let i = 0; i < stepOf.length; i++) if (stepOf[i] >= 0) operations[i] = 1;
  return {
    ...places,
    operations: groupRows(stepOf, numbers.length),
    chosen: {operations, isSliceChosen, fromNs: -Infinity, toNs: Infinity},
    workNs: workOf(trace, operations),
    wallNs: stepPeriods(stepsOf(trace)).reduce((sum, {fromNs, toNs}) => sum + toNs - fromNs, 0),
  };
}

function workOf({slices, gpuOperations}: Trace, operations: Uint8Array): number {
  let workNs = 0;
  for (let operation = 0; operation < operations.length; operation++) {
    if (operations[operation] === 1) workNs += slices.durationNs[gpuOperations.slice[operation]];
  }
  return workNs;
}
