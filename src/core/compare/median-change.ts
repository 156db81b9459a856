import {median} from '../base/median.js';

/** How the median of some durations differs from that of earlier ones, in percent of the latter. */
export interface MedianChange {
  readonly percent: number;
  /** The interval that holds the true change; null where the durations are too few to tell. */
  readonly interval: {readonly lowPercent: number; readonly highPercent: number} | null;
}

/** Part of all samples whose interval may miss the truth. */
const wantedMiss = 0.05;
/** With a larger part of them even the widest interval says nothing: two durations against three. */
const mostMiss = 0.1;
/** Of more durations a part is compared, which widens the interval a little. */
const mostCompared = 300;
/** Fewer durations have no halves that can be told from noise. */
const leastForHalves = 6;

/**
 * The change between two medians with its interval: that of Mann and Whitney's test, from the relative differences of
 * all pairs. It supposes no distribution, and a single duration that is far off moves neither.
 *
 * The interval is one of 95 %. Three durations against three have one of 90 % at most, fewer have none. It is widened
 * by how far the medians of the first and the second half of either side lie apart: what drifts within one run differs
 * between two.
 *
 * Null where there is nothing on one side, or nothing to divide by.
 *
 * @param areRunsApart whether the two sides are runs of their own, one after the other: the machine may have been busier
 * during all of one, and the interval is widened by the wider of the ranges that hold the middle half of a side
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

/** Half of the interval's width, in percent; null where there is none. */
export function noiseOf({interval}: MedianChange): number | null {
  return interval && (interval.highPercent - interval.lowPercent) / 2;
}

/** Whether the change says anything: no change is outside the interval, which is no wider than the change to each side. */
export function isMeasurable(change: MedianChange): boolean {
  const {percent, interval} = change;
  const noise = noiseOf(change);
  if (!interval || noise === null) return false;
  return (interval.lowPercent > 0 || interval.highPercent < 0) && noise <= Math.abs(percent);
}

/** Every so many of the numbers, no more than `mostCompared`: pairs are the square of them. */
function thinned(numbers: readonly number[]): readonly number[] {
  const every = Math.ceil(numbers.length / mostCompared);
  return every <= 1 ? numbers : numbers.filter((_, at) => at % every === 0);
}

function drift(numbers: readonly number[]): number {
  if (numbers.length < leastForHalves) return 0;
  const middle = numbers.length >> 1;
  return Math.abs(median(numbers.slice(0, middle)) - median(numbers.slice(-middle)));
}

/** How wide the range is that holds the middle half of some numbers. */
function middleHalf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const quarter = (sorted.length - 1) / 4;
  return sorted[Math.ceil(3 * quarter)] - sorted[Math.floor(quarter)];
}

/** How many of the pairs are left out at each end of the interval; null where the samples are too small for one. */
function leftOutPairs(some: number, others: number): number | null {
  if (some * others > mostExactPairs) return approximatelyLeftOut(some, others);
  const counts = rankSumCounts(some, others);
  const all = counts.reduce((sum, count) => sum + count, 0);
  if ((2 * counts[0]) / all > mostMiss + 1e-12) return null;
  let left = 0;
  for (let tail = counts[0]; left + 1 < counts.length; left++) {
    tail += counts[left + 1];
    if ((2 * tail) / all > wantedMiss) break;
  }
  return left;
}

/** The table of exact counts is cubic in the numbers of durations; above, the normal distribution is as good. */
const mostExactPairs = 2500;
const normalQuantile = 1.96;

function approximatelyLeftOut(some: number, others: number): number {
  const deviation = Math.sqrt((some * others * (some + others + 1)) / 12);
  return Math.max(0, Math.floor((some * others) / 2 - normalQuantile * deviation));
}

/** Number of pairs in which the first is larger → how many orders of the durations have so many. */
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
