import {formatCount} from '../format/count.js';
import {stepKinds, type StepKind, type WorkRecord} from './process-record.js';
import type {RunRecord} from './run-record.js';

/** The timed part of a run. */
export interface TimedPart {
  /** What ends a step; null if the whole run is timed. */
  readonly kind: StepKind | null;
  /** Number of steps before the clock starts, which warm up compilers and caches. */
  readonly warmup: number;
  /** The step at whose end the clock stops. */
  readonly steps: number;
  /** For a whole run: whether the import of torch is excluded. It takes seconds, and varies from run to run. */
  readonly isWithoutImport: boolean;
}

export const wholeRun: TimedPart = {kind: null, warmup: 0, steps: 0, isWithoutImport: false};
const runWithoutImport: TimedPart = {...wholeRun, isWithoutImport: true};
const leastSteps = 3;

/**
 * Returns what is timed in two runs: steps that both take equally often, after their first calls; else the whole run.
 */
export function timedPart(base: WorkRecord | null, changed: WorkRecord | null): TimedPart {
  if (!base || !changed) return wholeRun;
  for (const kind of stepKinds) {
    const steps = base.counts[kind];
    if (steps !== changed.counts[kind]) return runWithoutImport;
    const warmup = steps >= 10 ? 3 : steps >= 5 ? 2 : 1;
    if (steps >= leastSteps) return {kind, warmup, steps, isWithoutImport: false};
  }
  return runWithoutImport;
}

/** Returns the time of a run's timed part, in ns; null if its clock did not run from start to end. */
export function timedNs(part: TimedPart, {clock, wallNs, importNs}: RunRecord): number | null {
  const {kind, warmup, steps} = part;
  if (kind === null) return part.isWithoutImport ? wallNs - importNs : wallNs;
  const stepsNs = clock?.count === steps ? clock.stepsNs : null;
  return stepsNs === null ? null : stepsNs / (steps - warmup);
}

/** The times of the timed part in several runs, and the share of waiting for a processor. */
export interface TimedRuns {
  /** By run. */
  readonly ns: readonly number[];
  /** Over all runs together, between 0 and 1, and excluded from `ns`. Null if `ns` includes it. */
  readonly waitedPart: number | null;
}

/**
 * Returns the times of the timed part in the runs of both commits. If all of them record how long they only waited for
 * a processor used by other programs, that time is excluded, because it depends on the other programs.
 */
export function timedRuns(
  part: TimedPart,
  base: readonly RunRecord[],
  changed: readonly RunRecord[],
): {readonly base: TimedRuns; readonly changed: TimedRuns} {
  const isLeftOut = [...base, ...changed].every(run => waitedNs(part, run) !== null);
  return {base: timesOf(part, base, isLeftOut), changed: timesOf(part, changed, isLeftOut)};
}

function timesOf(part: TimedPart, runs: readonly RunRecord[], isLeftOut: boolean): TimedRuns {
  const whole = runs.map(run => timedNs(part, run) ?? NaN);
  if (!isLeftOut) return {ns: whole, waitedPart: null};
  const waited = runs.map(run => waitedNs(part, run) ?? NaN);
  const ns = whole.map((one, at) => one - (waited[at] ?? NaN));
  return {ns, waitedPart: sum(waited) / sum(whole)};
}

/** Returns the part of `timedNs` in which a run only waited for a processor used by other programs; null if unknown. */
function waitedNs({kind, warmup, steps}: TimedPart, {clock, waitedNs: ofRun}: RunRecord): number | null {
  if (kind === null) return ofRun;
  const ofSteps = clock?.waitedNs ?? null;
  return ofSteps === null ? null : ofSteps / (steps - warmup);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

const stepNames = {train: 'training step', backward: 'backward pass', infer: 'call of the model'} as const;

/** Returns a description of what was timed. */
export function timedText({kind, warmup, steps, isWithoutImport}: TimedPart): string {
  if (kind === null)
    return `the whole run, from its start to its end${isWithoutImport ? ', without the import of torch' : ''}`;
  return `a ${stepNames[kind]}, of ${formatCount(steps - warmup)} behind the first ${formatCount(warmup)}`;
}
