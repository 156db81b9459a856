import type {TimeWindow} from '../base/time-window.js';
import type {Selection} from '../scope/selection.js';
import type {Step} from '../scope/steps.js';

/** How a timeline is aligned with another one: by the compared step or window, among the steps of its process. */
export interface AlignedSteps {
  /** The compared step or window, ns from the trace's origin. */
  readonly compared: TimeWindow;
  /** The steps of one process in order of start; `at` is the row of the compared one, -1 if there is none. */
  readonly steps: readonly TimeWindow[];
  readonly at: number;
}

/** The visible part of a timeline, in ns from the start of one of its steps: the same for linked timelines. */
export interface LinkedView extends TimeWindow {
  /** Number of steps from the compared step to the one from which times count; negative for earlier ones. */
  readonly ahead: number;
  /** The position of the cursor; null if there is none. */
  readonly cursorNs: number | null;
}

/**
 * Returns how a timeline is aligned: at the selected step or window; else at its first step, else at its start.
 *
 * @param selection the compared part of the profile
 * @param spanNs the duration of the trace, for a profile without steps
 */
export function alignedSteps(
  steps: readonly Step[],
  {step, fromNs, toNs}: Pick<Selection, 'step' | 'fromNs' | 'toNs'>,
  spanNs: number,
): AlignedSteps {
  const anchor =
    step !== undefined
      ? steps.find(({number}) => number === step)
      : fromNs === undefined
        ? steps[0]
        : (steps.findLast(({startNs}) => startNs <= fromNs) ?? steps[0]);
  const own = anchor ? steps.filter(({process}) => process === anchor.process) : [];
  const whole = anchor ? windowOf(anchor) : {fromNs: 0, toNs: Math.max(1, spanNs)};
  const compared =
    fromNs === undefined ? whole : {fromNs, toNs: Math.min(toNs ?? spanNs, Math.max(spanNs, fromNs + 1))};
  return {compared, steps: own.map(windowOf), at: anchor ? own.indexOf(anchor) : -1};
}

/** Returns the step or window some steps after the compared one; null if there is none. */
export function alignedAt({compared, steps, at}: AlignedSteps, ahead: number): TimeWindow | null {
  return ahead === 0 ? compared : at < 0 ? null : (steps[at + ahead] ?? null);
}

/** Returns how many steps after the compared one a step is; null for a step of another process. */
export function aheadOf({steps, at}: AlignedSteps, {startNs}: Pick<Step, 'startNs'>): number | null {
  const row = steps.findIndex(({fromNs}) => fromNs === startNs);
  return row < 0 ? null : row - at;
}

/** Returns the window that a timeline shows for the visible part of the other one; null if it has no such step. */
export function windowOfLinked(own: AlignedSteps, {ahead, fromNs, toNs}: LinkedView): TimeWindow | null {
  const step = alignedAt(own, ahead);
  return step && {fromNs: step.fromNs + fromNs, toNs: step.fromNs + toNs};
}

function windowOf({startNs, endNs}: Step): TimeWindow {
  return {fromNs: startNs, toNs: endNs};
}
