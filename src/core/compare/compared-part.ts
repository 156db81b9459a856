import type {Attribution} from '../attribution/attribute.js';
import type {Chosen} from '../attribution/chosen.js';
import {attributionOf} from '../scope/attribution-of.js';
import {choose, type Selection} from '../scope/selection.js';
import {stepScope} from '../scope/step-scope.js';
import {stepsOf} from '../scope/steps.js';
import type {Trace} from '../trace/trace.js';

/** The part of a profile that is compared. */
export interface ComparedPart {
  readonly trace: Trace;
  /** The user's ranges in the whole trace. */
  readonly attribution: Attribution;
  readonly chosen: Chosen;
  /** The number of steps that figures are divided by; 0 if figures cover the whole part. */
  readonly steps: number;
  /** Returns the index of an operation's step, or -1 if the operation is excluded; 0 for all if there are no steps. */
  readonly stepOf: (operation: number) => number;
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
export function comparedPart(trace: Trace, selection: Selection, isPerStep: boolean): ComparedPart {
  const attribution = attributionOf(trace);
  const chosen = choose(trace, attribution, selection);
  const {operations, isSliceChosen} = chosen;
  const isOperationIn = (operation: number) => operations === null || operations[operation] === 1;
  const isRowIn = (row: number) => isSliceChosen === null || isSliceChosen(row);
  const common = {trace, attribution, chosen};
  if (!isPerStep) {
    return {...common, steps: 0, stepOf: operation => (isOperationIn(operation) ? 0 : -1), isSliceIn: isRowIn};
  }
  const {numbers, stepOf, stepOfSlice} = stepScope(trace);
  const kept = numbers.flatMap((number, at) => (isStepIn(number, selection) ? [at] : []));
  const placeOf = new Int32Array(numbers.length).fill(-1);
  kept.forEach((at, place) => {
    placeOf[at] = place;
  });
  const placeOfStep = (step: number) => (step < 0 ? -1 : placeOf[step]);
  return {
    ...common,
    steps: kept.length,
    stepOf: operation => (isOperationIn(operation) ? placeOfStep(stepOf[operation]) : -1),
    isSliceIn: row => isRowIn(row) && placeOfStep(stepOfSlice(row)) >= 0,
  };
}

function isStepIn(number: number, {step}: Selection): boolean {
  return step === undefined || step === number;
}
