import {getOrAdd} from '../table/get-or-add.js';
import {upperBound} from '../table/search.js';
import {derived, derivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';
import {stepsNumbered, stepsOf, type Step} from './steps.js';

/** When a step of a process is open. */
type OpenStep = Pick<Step, 'process' | 'startNs' | 'endNs'>;

/** Returns the step of a process that is open at a time, the last to begin if several are, as its index; -1 for none. */
type StepAt = (process: number, atNs: number) => number;

/** The open step of a process that began last, at each time: from `fromNs[i]` until the next of them, `step[i]`. */
interface Periods {
  /** Ascending; of equal ones, the last counts. */
  readonly fromNs: Float64Array;
  /** Index of the step, -1 where none is open. */
  readonly step: Int32Array;
}

/** A time in which a step of a process is open, and no later step. */
export interface StepPeriod {
  readonly process: number;
  readonly fromNs: number;
  /** Exclusive. */
  readonly toNs: number;
}

const stepAtKey = derivedKey<StepAt>('step at');

/** Returns the function that finds the steps of a trace, as indices in `stepsOf`. @see docs/metrics.md#selection */
export function stepFinderOf(trace: Trace): StepAt {
  return derived(
    trace,
    stepAtKey,
    () => stepFinder(stepsOf(trace)),
    () => stepsOf(trace).length * periodBytes,
  );
}

/** The memory of the two periods of a step. */
const periodBytes = 24;

/** Returns the function that finds one of these steps, in time proportional to the logarithm of their number. */
export function stepFinder(steps: readonly OpenStep[]): StepAt {
  const ofProcesses = periodsOf(steps);
  // Most consecutive calls ask for times in the same period, so the last one is kept.
  const same = {process: -1, fromNs: Infinity, toNs: -Infinity, step: -1};
  return (process, atNs) => {
    if (atNs >= same.fromNs && atNs < same.toNs && process === same.process) return same.step;
    const periods = ofProcesses.get(process);
    if (!periods) return -1;
    const at = upperBound(periods.fromNs, atNs) - 1;
    if (at < 0) return -1;
    const toNs = at + 1 < periods.fromNs.length ? periods.fromNs[at + 1] : Infinity;
    Object.assign(same, {process, fromNs: periods.fromNs[at], toNs, step: periods.step[at]});
    return same.step;
  };
}

/** Returns the times in which steps are open, by process, in order of time: no time of a process twice. */
export function stepPeriods(steps: readonly OpenStep[]): readonly (StepPeriod & {readonly step: number})[] {
  const found: {process: number; step: number; fromNs: number; toNs: number}[] = [];
  for (const [process, {fromNs, step}] of periodsOf(steps)) {
    step.forEach((at, i) => {
      if (at < 0 || fromNs[i + 1] === fromNs[i]) return;
      const last = found.at(-1);
      if (last?.process === process && last.step === at && last.toNs === fromNs[i]) last.toNs = fromNs[i + 1];
      else found.push({process, step: at, fromNs: fromNs[i], toNs: fromNs[i + 1]});
    });
  }
  return found;
}

/**
 * Returns the times in which the steps with a number are open, and no later step of their process.
 *
 * @param processes indices of the processes whose steps count; null for all
 * @throws TraceError `selection/no-match`
 */
export function periodsNumbered(
  trace: Trace,
  number: number,
  processes: ReadonlySet<number> | null = null,
): readonly StepPeriod[] {
  const wanted = new Set(stepsNumbered(trace, number, processes).map(({slice}) => slice));
  const steps = stepsOf(trace);
  return stepPeriods(steps).filter(({step}) => wanted.has(steps[step].slice));
}

/** Process → its periods. */
function periodsOf(steps: readonly OpenStep[]): Map<number, Periods> {
  const ofProcesses = new Map<number, number[]>();
  steps.forEach(({process}, at) => getOrAdd(ofProcesses, process, () => []).push(at));
  return new Map([...ofProcesses].map(([process, own]) => [process, periodsOfProcess(steps, own)]));
}

/** @param own the indices of its steps */
function periodsOfProcess(steps: readonly OpenStep[], own: readonly number[]): Periods {
  const byStart = [...own].sort((a, b) => steps[a].startNs - steps[b].startNs);
  const fromNs = Float64Array.from(own.flatMap(at => [steps[at].startNs, steps[at].endNs])).sort();
  const step = new Int32Array(fromNs.length);
  const open: number[] = [];
  let begun = 0;
  fromNs.forEach((atNs, period) => {
    while (begun < byStart.length && steps[byStart[begun]].startNs <= atNs) open.push(byStart[begun++]);
    // A step below the top may have ended, too: it is dropped when it is at the top.
    while (open.length > 0 && steps[open[open.length - 1]].endNs <= atNs) open.pop();
    step[period] = open.at(-1) ?? -1;
  });
  return {fromNs, step};
}
