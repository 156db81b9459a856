import {rankSumCounts} from './median-change.js';
import {momentsOf, welchFreedom} from './moments.js';
import type {RunDeviation} from './run-noise.js';
import {studentTail} from './student-t.js';

/** With so many values on either side the means are close to normal; with fewer, ranks are asked as well. */
const enoughForMeans = 15;

/**
 * Returns the probability that two samples of one distribution differ by as much as these: that of Welch's test, and
 * with fewer than 15 values on a side the larger of it and that of Mann and Whitney's. The latter supposes no
 * distribution, so that a few values that happen to be equal are no proof.
 *
 * @param ofRuns noise between runs, which adds to that of the samples
 */
export function sampleTest(one: Float64Array, other: Float64Array, ofRuns: RunDeviation | null = null): number {
  const [a, b] = [momentsOf(one), momentsOf(other)];
  const difference = Math.abs(a.mean - b.mean);
  if (difference === 0) return 1;
  const bySteps = Math.sqrt(a.variance / a.length + b.variance / b.length);
  // Few runs tell little of their noise: their own freedom counts then.
  const [deviation, freedom] =
    ofRuns === null || ofRuns.deviationNs === 0
      ? [bySteps, Math.min(1e6, welchFreedom(a, b))]
      : [Math.hypot(bySteps, ofRuns.deviationNs), Math.min(1e6, welchFreedom(a, b), ofRuns.freedom)];
  const byMeans = studentTail(difference / deviation, freedom);
  if (Math.min(one.length, other.length) >= enoughForMeans) return byMeans;
  return Math.max(byMeans, rankTest(one, other));
}

/** More pairs than this are compared by the normal approximation: the exact counts take the cube of the sizes. */
const mostExactPairs = 1000;

/** Mann and Whitney's test for both sides. Pairs that are equal count as half, which makes the result rather too large. */
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

/** Number of pairs → part of all orders with no more pairs in which the first value is the larger. */
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
