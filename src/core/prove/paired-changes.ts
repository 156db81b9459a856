import {median} from '../base/median.js';
import {momentsOf} from '../compare/moments.js';
import {studentQuantile} from '../compare/student-t.js';

/** The change of a figure, in percent of the base, with the interval that contains the true change. */
export interface PairedChange {
  readonly deltaPercent: number;
  readonly intervalPercent: readonly [low: number, high: number];
}

/** Probability that any of the computed intervals misses the true change. */
export const missProbability = 0.02;
/** Two folders of the same commit differ by about this much: paths of another length, other pages of the disk. */
export const leastPercent = 0.5;
/** The interval is narrow if it is no wider than this, or than the change itself. */
const narrowPercent = 2;
/** A smaller gain or loss than this is not of interest. */
const wantedPercent = 3;
const firstPairs = 4;
const mostPairs = 63;

/**
 * Returns the number of the look at this many pairs; null if they are not looked at. Looks happen at 4, 6, 9, 13, …
 * pairs, each time half as many again.
 */
export function lookNumber(pairs: number): number | null {
  let look = 1;
  for (let at = firstPairs; at <= pairs; at = Math.floor(at * 1.5), look++) if (at === pairs) return look;
  return null;
}

/**
 * Returns the change from pairs of runs, one of each commit, run next to each other: the median of the logarithms of
 * their ratios (Hodges and Lehmann's), with the intersection of two intervals: Student's, and the one of Wilcoxon's
 * signed ranks, which a single delayed run does not widen. Null if there are fewer than two pairs.
 *
 * Looking at the pairs several times is accounted for: at the k-th look, each of the two intervals may miss the true
 * change with the probability 0.01 ÷ (k (k + 1)), so that all looks together, however many, miss it with at most 0.02
 * (Bonferroni).
 *
 * @param look the number of this look, from 1
 * @see docs/metrics.md#prove
 */
export function pairedChange(base: readonly number[], changed: readonly number[], look: number): PairedChange | null {
  const pairs = Math.min(base.length, changed.length);
  if (pairs < 2) return null;
  const ratios = Array.from({length: pairs}, (_, at) => Math.log((changed[at] ?? NaN) / (base[at] ?? NaN)));
  const tail = missProbability / 2 / (look * (look + 1));
  const {mean, variance} = momentsOf(ratios);
  const half = studentQuantile(tail, pairs - 1) * Math.sqrt(variance / pairs);
  const averages = walshAverages(ratios);
  const left = leftOutAverages(pairs, tail);
  const rankLow = left === null ? -Infinity : (averages[left] ?? -Infinity);
  const rankHigh = left === null ? Infinity : (averages[averages.length - 1 - left] ?? Infinity);
  // If the intervals do not intersect, both are doubtful, so the wider one is used.
  const [low, high] = [Math.max(mean - half, rankLow), Math.min(mean + half, rankHigh)];
  const [safeLow, safeHigh] = low <= high ? [low, high] : [mean - half, mean + half];
  const middle = Math.min(safeHigh, Math.max(safeLow, median(averages)));
  return {deltaPercent: percentOf(middle), intervalPercent: [percentOf(safeLow), percentOf(safeHigh)]};
}

/** Returns the means of all pairs of some numbers, including each number with itself, in order. */
function walshAverages(numbers: readonly number[]): readonly number[] {
  return numbers.flatMap((one, at) => numbers.slice(at).map(other => (one + other) / 2)).sort((a, b) => a - b);
}

/**
 * Returns how many of these means are excluded at each end of the interval of Wilcoxon's signed ranks: as many as keep
 * the probability that the true value is outside at or below `tail`. Null if even the widest interval misses it more
 * often.
 */
function leftOutAverages(count: number, tail: number): number | null {
  const length = (count * (count + 1)) / 2 + 1;
  const ways = new Float64Array(length);
  ways[0] = 1;
  for (let rank = 1; rank <= count; rank++) {
    for (let sum = length - 1; sum >= rank; sum--) ways[sum] = (ways[sum] ?? 0) + (ways[sum - rank] ?? 0);
  }
  let below = 0;
  for (let sum = 0; sum < length; sum++) {
    below += ways[sum] ?? 0;
    if (2 * below > tail * 2 ** count) return sum === 0 ? null : sum - 1;
  }
  return null;
}

/** Returns whether the change is significantly faster. */
export function isFaster({intervalPercent: [, high]}: PairedChange): boolean {
  return high < -leastPercent;
}

/** Returns whether the change is significantly slower. */
export function isSlower({intervalPercent: [low]}: PairedChange): boolean {
  return low > leastPercent;
}

/**
 * Returns whether more pairs would add nothing of interest: the interval is narrow, or it contains no gain of interest
 * and its middle is not a loss of interest.
 */
export function isEnough(change: PairedChange, pairs: number): boolean {
  const {deltaPercent} = change;
  const [low, high] = change.intervalPercent;
  const isTold = isFaster(change) || isSlower(change);
  if (pairs >= mostPairs) return true;
  if (isTold) return high - low <= Math.max(narrowPercent, Math.abs(deltaPercent));
  return low > -wantedPercent && deltaPercent < wantedPercent;
}

function percentOf(logarithm: number): number {
  return 100 * Math.expm1(logarithm);
}
