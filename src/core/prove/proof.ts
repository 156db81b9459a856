import {formatCount} from '../format/count.js';
import {formatDuration} from '../format/duration.js';
import {median} from '../base/median.js';
import {isFaster, isSlower, leastPercent, missProbability, type PairedChange} from './paired-changes.js';
import {doubt, evidence, type Reason, type ReasonCode} from './reason.js';
import type {RunRecord} from './run-record.js';
import {timedRuns, timedText, type TimedPart} from './timed-part.js';

export type ProofVerdict = 'proven' | 'not proven' | 'worse' | 'not the same work';

/** Whether a change is faster for the same work. */
export interface Proof {
  readonly verdict: ProofVerdict;
  /** Change of the time, in percent of the base; negative is faster. Null if it was not measured. */
  readonly deltaPercent: number | null;
  readonly intervalPercent: readonly [low: number, high: number] | null;
  readonly reasons: readonly {readonly code: ReasonCode; readonly text: string}[];
}

/** What was measured, and how it ended. */
export interface Measured {
  readonly part: TimedPart;
  readonly change: PairedChange | null;
  readonly base: readonly RunRecord[];
  readonly changed: readonly RunRecord[];
  readonly isBudgetSpent: boolean;
}

/** Returns the verdict: differences take precedence over doubts, and doubts over times. */
export function concludeProof(reasons: readonly Reason[], measured: Measured | null): Proof {
  const all = [...reasons, ...(measured ? timeReasons(measured) : [])];
  const change = measured?.change ?? null;
  return {
    verdict: verdictOf(all, change),
    deltaPercent: change?.deltaPercent ?? null,
    intervalPercent: change?.intervalPercent ?? null,
    reasons: all
      .toSorted((a, b) => weights.indexOf(a.weight) - weights.indexOf(b.weight))
      .map(({code, text}) => ({code, text})),
  };
}

const weights: readonly Reason['weight'][] = ['difference', 'doubt', 'evidence'];

function verdictOf(reasons: readonly Reason[], change: PairedChange | null): ProofVerdict {
  if (reasons.some(({weight}) => weight === 'difference')) return 'not the same work';
  if (change && isSlower(change)) return 'worse';
  return change && isFaster(change) && !reasons.some(({weight}) => weight === 'doubt') ? 'proven' : 'not proven';
}

function timeReasons(measured: Measured): readonly Reason[] {
  const {change, isBudgetSpent} = measured;
  if (!change)
    return [doubt('budget', 'The budget of time was spent before enough runs were timed: give more with --budget.')];
  const reasons = [evidence('time', timeText(measured))];
  if (isFaster(change)) return [...reasons, ...movedTime(measured)];
  if (isSlower(change)) return reasons;
  const [low, high] = change.intervalPercent;
  reasons.push(
    doubt(
      'noise',
      `The change is not told from noise: with ${String(100 * (1 - missProbability))} % confidence it lies between ${percentText(low)} and ${percentText(high)}, and less than ${percentText(-leastPercent)} is not told from none.`,
    ),
  );
  if (isBudgetSpent) reasons.push(doubt('budget', 'The budget of time was spent: more runs may tell.'));
  return reasons;
}

function timeText({part, base, changed}: Measured): string {
  const timed = timedRuns(part, base, changed);
  const [before, after] = [timed.base, timed.changed].map(({ns}) => formatDuration(median(ns)));
  const text = `Timed is ${timedText(part)}: ${before} at BASE, ${after} at CHANGED, in ${formatCount(base.length)} pairs of runs.`;
  const [waited, waitedAfter] = [timed.base.waitedPart ?? 0, timed.changed.waitedPart ?? 0];
  if (Math.max(waited, waitedAfter) < leastWaitedPart) return text;
  return `${text} Left out is the time in which the script waited for a processor that other programs had: ${wholePercent(waited)} at BASE, ${wholePercent(waitedAfter)} at CHANGED.`;
}

/** A smaller share is not worth a sentence. */
const leastWaitedPart = 0.01;

function wholePercent(part: number): string {
  return `${(100 * part).toFixed(0)} %`;
}

/** A shorter time does not indicate postponed work. */
const leastMovedNs = 30e6;

/**
 * Returns reasons about time that was saved in the steps and came back elsewhere: after the steps, it was work that
 * nobody waited for.
 */
function movedTime({part, base, changed}: Measured): readonly Reason[] {
  if (part.kind === null) return [];
  const steps = part.steps - part.warmup;
  const timed = timedRuns(part, base, changed);
  const savedNs = (median(timed.base.ns) - median(timed.changed.ns)) * steps;
  const tailNs = (runs: readonly RunRecord[]) =>
    median(runs.map(({clock}) => (clock?.tailNs ?? 0) - (clock?.tailWaitedNs ?? 0)));
  const putOffNs = tailNs(changed) - tailNs(base);
  if (putOffNs > leastMovedNs && putOffNs > savedNs / 2) {
    return [
      doubt(
        'put-off',
        `The steps save ${formatDuration(savedNs)}, but the run takes ${formatDuration(putOffNs)} longer behind them: work is put off, and not waited for.`,
      ),
    ];
  }
  const wallNs = (runs: readonly RunRecord[]) => median(runs.map(run => run.wallNs));
  const longerNs = wallNs(changed) - wallNs(base);
  if (longerNs <= leastMovedNs) return [];
  const text = `The whole run takes ${formatDuration(longerNs)} longer: CHANGED starts more slowly, and pays off in longer runs only.`;
  return [evidence('start-up', text)];
}

function percentText(percent: number): string {
  return `${percent > 0 ? '+' : ''}${percent.toFixed(1)} %`;
}
