import {rankSumCounts} from './median-change.js';
import {momentsOf, welchFreedom} from './moments.js';
import type {RunDeviation} from './run-noise.js';
import {studentTail} from './student-t.js';

/** With this many values on either side, the means are close to normal; with fewer, ranks are tested as well. */
const enoughForMeans = 15;

/**
 * Returns the probability that two samples of the same distribution differ by as much as these, from Welch's test. With
 * fewer than 15 values on a side, it is the larger of Welch's and of Mann and Whitney's, which assumes no distribution,
 * so that a few values that happen to be equal prove nothing.
 *
 * @param ofRuns noise between runs, added to the samples' own
 */
export function sampleTest(one: Float64Array, other: Float64Array, ofRuns: RunDeviation | null = null): number {
  const [a, b] = [momentsOf(one), momentsOf(other)];
  const difference = Math.abs(a.mean - b.mean);
  if (difference === 0) return 1;
  const bySteps = Math.sqrt(a.variance / a.length + b.variance / b.length);
  // Few runs determine their noise poorly, so their degrees of freedom limit the total.
  const [deviation, freedom] =
    ofRuns === null || ofRuns.deviationNs === 0
      ? [bySteps, Math.min(1e6, welchFreedom(a, b))]
      : [Math.hypot(bySteps, ofRuns.deviationNs), Math.min(1e6, welchFreedom(a, b), ofRuns.freedom)];
  const byMeans = studentTail(difference / deviation, freedom);
  if (Math.min(one.length, other.length) >= enoughForMeans) return byMeans;
  return Math.max(byMeans, rankTest(one, other));
}

/** More pairs than this are tested by the normal approximation: the exact counts are cubic in the sizes. */
const mostExactPairs = 1000;

/** Mann and Whitney's two-sided test. Equal pairs count as half, which makes the probability rather too large. */
function rankTest(one: Float64Array, other: Float64Array): number {
  const pairs = one.length * other.length;
  let less = 0;
  for (const a of one) for (const b of other) less += a < b ? 1 : a === b ? 0.5 : 0;
  const tail = Math.ceil(Math.min(less, pairs - less));
  if (pairs > mostExactPairs) {
    const deviation = Math.sqrt((pairs * (one.length + other.length + 1)) / 12);
    return studentTail(Math.max(0, pairs / 2 - tail - 0.5) / deviation, 1e6);
  }
  const shares = cumulatedShares(one.length, other.length);
  return Math.min(1, 2 * shares[Math.min(tail, shares.length - 1)]);
}

const knownShares = new Map<number, Float64Array>();

/**
 * Returns, for each number of pairs in which the first value is larger, the fraction of all orders with at most that
 * many.
 */
function cumulatedShares(some: number, others: number): Float64Array {
  const key = some * mostExactPairs + others;
  const known = knownShares.get(key);
  if (known) return known;
  const counts = rankSumCounts(some, others);
  const all = counts.reduce((sum, count) => sum + count, 0);
  let sum = 0;
  const shares = Float64Array.from(counts, count => (sum += count) / all);
  knownShares.set(key, shares);
  return shares;
}
