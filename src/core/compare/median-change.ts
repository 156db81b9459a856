import {median} from '../base/median.js';

/** The difference between the median of some durations and the median of earlier ones, in percent of the earlier. */
export interface MedianChange {
  readonly percent: number;
  /** The interval that contains the true change; null if there are too few durations. */
  readonly interval: {readonly lowPercent: number; readonly highPercent: number} | null;
}

/** The fraction of all samples whose interval may miss the true change. */
const wantedMiss = 0.05;
/** Fewer durations on one side do not show its noise, however many the other side has. */
const leastDurations = 3;
/** Of more durations, only so many are compared, which widens the interval a little. */
const mostCompared = 300;
/** With fewer durations, a difference of halves cannot be told from noise. */
const leastForHalves = 6;

/**
 * Returns the change between two medians with its interval, from the relative differences of all pairs, as in the test
 * of Mann and Whitney. It assumes no distribution, and a single outlier moves neither the change nor the interval.
 *
 * The interval has 95 % confidence. For three durations against three it has 90 % at most; fewer have none. It is
 * widened by the distance between the medians of the first and second half of a side, the larger of both sides: drift
 * within one run also makes two runs differ.
 *
 * Null if a side has no durations, or the earlier median is not positive.
 *
 * @param areRunsApart whether the two sides are separate runs, one after the other. The machine may have been busier
 *   during one of them, so the interval is widened by the larger interquartile range of the two sides
 * @see docs/metrics.md#median-change
 */
export function medianChange(
  now: readonly number[],
  before: readonly number[],
  {areRunsApart = false} = {},
): MedianChange | null {
  const base = median(before);
  if (now.length === 0 || !(base > 0)) return null;
  const percent = (100 * (median(now) - base)) / base;
  const [some, others] = [thinned(now), thinned(before)];
  const left = leftOutPairs(some.length, others.length);
  if (left === null) return {percent, interval: null};
  const pairs = some.flatMap(one => others.map(other => (100 * (one - other)) / base)).sort((a, b) => a - b);
  const apartNs = areRunsApart ? Math.max(middleHalf(now), middleHalf(before)) : 0;
  const driftPercent = (100 * (Math.max(drift(now), drift(before)) + apartNs)) / base;
  return {
    percent,
    interval: {
      lowPercent: Math.min(percent, pairs[left]) - driftPercent,
      highPercent: Math.max(percent, pairs[pairs.length - 1 - left]) + driftPercent,
    },
  };
}

/** Returns half of the interval's width, in percent; null if there is no interval. */
export function noiseOf({interval}: MedianChange): number | null {
  return interval && (interval.highPercent - interval.lowPercent) / 2;
}

/**
 * Returns whether the change is measurable: zero is outside the interval, which extends no further than the change on
 * either side.
 */
export function isMeasurable(change: MedianChange): boolean {
  const {percent, interval} = change;
  const noise = noiseOf(change);
  if (!interval || noise === null) return false;
  return (interval.lowPercent > 0 || interval.highPercent < 0) && noise <= Math.abs(percent);
}

/** Returns evenly spaced durations, at most `mostCompared`, because the number of pairs grows with the square. */
function thinned(numbers: readonly number[]): readonly number[] {
  const every = Math.ceil(numbers.length / mostCompared);
  return every <= 1 ? numbers : numbers.filter((_, at) => at % every === 0);
}

function drift(numbers: readonly number[]): number {
  if (numbers.length < leastForHalves) return 0;
  const middle = numbers.length >> 1;
  return Math.abs(median(numbers.slice(0, middle)) - median(numbers.slice(-middle)));
}

/** Returns the interquartile range of some numbers. */
function middleHalf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const quarter = (sorted.length - 1) / 4;
  return sorted[Math.ceil(3 * quarter)] - sorted[Math.floor(quarter)];
}

/** Returns how many pairs are excluded at each end of the interval; null if the samples are too small for one. */
function leftOutPairs(some: number, others: number): number | null {
  if (Math.min(some, others) < leastDurations) return null;
  if (some * others > mostExactPairs) return approximatelyLeftOut(some, others);
  const counts = rankSumCounts(some, others);
  const all = counts.reduce((sum, count) => sum + count, 0);
  let left = 0;
  for (let tail = counts[0]; left + 1 < counts.length; left++) {
    tail += counts[left + 1];
    if ((2 * tail) / all > wantedMiss) break;
  }
  return left;
}

/**
 * The table of exact counts is cubic in the number of durations. Above this number of pairs, the normal distribution is
 * as good.
 */
const mostExactPairs = 2500;
const normalQuantile = 1.96;

function approximatelyLeftOut(some: number, others: number): number {
  const deviation = Math.sqrt((some * others * (some + others + 1)) / 12);
  return Math.max(0, Math.floor((some * others) / 2 - normalQuantile * deviation));
}

/**
 * Returns, for each number of pairs in which the first is larger, how many orders of the durations have that number.
 */
export function rankSumCounts(some: number, others: number): number[] {
  // Gaussian binomial coefficients: products of (1 − x^(others + i)) ÷ (1 − x^i).
  const length = some * others + 1;
  const counts = new Array<number>(length).fill(0);
  counts[0] = 1;
  for (let i = 1; i <= some; i++) {
    for (let at = length - 1; at >= others + i; at--) counts[at] -= counts[at - others - i];
    for (let at = i; at < length; at++) counts[at] += counts[at - i];
  }
  return counts;
}
