import type {Attribution} from '../attribution/attribute.js';
import {insideNs, type Chosen} from '../attribution/chosen.js';
import {attributionOf} from '../scope/attribution-of.js';
import {choose, type Selection} from '../scope/selection.js';
import {stepPlaces} from '../scope/step-scope.js';
import {stepsOf} from '../scope/steps.js';
import type {Trace} from '../trace/trace.js';

/** A part of a profile whose GPU work can be asked for. */
export interface WorkPart {
  readonly trace: Trace;
  readonly selection: Selection;
  /** The user's ranges in the whole trace. */
  readonly attribution: Attribution;
  readonly chosen: Chosen;
  /** The number of steps that figures are divided by; 0 if figures cover the whole part. */
  readonly steps: number;
  /** Operation → index of its step, -1 if the operation is excluded; 0 for all if there are no steps. */
  readonly stepOf: Int32Array;
  /** Operation → the part of its duration inside the window, ns. */
  readonly operationNs: Float64Array;
  /** Returns whether a thread's slice counts, by its row. */
  readonly isSliceIn: (row: number) => boolean;
}

/** Returns whether figures of a selection can be given per step. A time window can cut steps, so it has none. */
export function hasSteps(trace: Trace, {fromNs, toNs}: Selection): boolean {
  return fromNs === undefined && toNs === undefined && stepsOf(trace).length > 0;
}

/**
 * Returns the part of a trace that a selection covers.
 *
 * @param isPerStep whether only the work of steps counts, divided by their number; `hasSteps` must hold
 * @throws TraceError `selection/no-match`, `trace/too-many-open-ranges`
 */
export function workPart(trace: Trace, selection: Selection, isPerStep: boolean): WorkPart {
  const attribution = attributionOf(trace);
  const chosen = choose(trace, attribution, selection);
  const {operations, isSliceChosen} = chosen;
  const isRowIn = (row: number) => isSliceChosen === null || isSliceChosen(row);
  const common = {trace, selection, attribution, chosen, operationNs: operationNsOf(trace, chosen)};
  if (!isPerStep) {
    return {
      ...common,
      steps: 0,
      stepOf: keptOf(new Int32Array(trace.gpuOperations.length), operations),
      isSliceIn: isRowIn,
    };
  }
  const {numbers, stepOf, stepOfSlice} = stepPlaces(trace);
  const kept = numbers.flatMap((number, at) => (isStepIn(number, selection) ? [at] : []));
  const placeOf = new Int32Array(numbers.length).fill(-1);
  kept.forEach((at, place) => {
    placeOf[at] = place;
  });
  const placeOfStep = (step: number) => (step < 0 ? -1 : placeOf[step]);
  return {
    ...common,
    steps: kept.length,
    stepOf: keptOf(placesOf(stepOf, placeOf), operations),
    isSliceIn: row => isRowIn(row) && placeOfStep(stepOfSlice(row)) >= 0,
  };
}

function operationNsOf({slices, gpuOperations}: Trace, chosen: Chosen): Float64Array {
  const ns = new Float64Array(gpuOperations.length);
  for (let i = 0; i < ns.length; i++) {
    const row = gpuOperations.slice[i];
    ns[i] = insideNs(slices.startNs[row], slices.durationNs[row], chosen);
  }
  return ns;
}

/** Returns the index of each operation's step among the selected steps, -1 for none. */
function placesOf(stepOf: Int32Array, placeOf: Int32Array): Int32Array {
  const places = new Int32Array(stepOf.length);
  for (let i = 0; i < places.length; i++) places[i] = stepOf[i] < 0 ? -1 : placeOf[stepOf[i]];
  return places;
}

/** Excludes, in place, the operations that are not chosen. */
function keptOf(stepOf: Int32Array, operations: Uint8Array | null): Int32Array {
  if (operations !== null) for (let i = 0; i < stepOf.length; i++) if (operations[i] === 0) stepOf[i] = -1;
  return stepOf;
}

function isStepIn(number: number, {step}: Selection): boolean {
  return step === undefined || step === number;
}
