import {median} from '../base/median.js';
import {nthSmallest} from '../base/nth-smallest.js';
import {momentsOf, welchFreedom} from './moments.js';
import type {RunDeviation} from './run-noise.js';
import {studentQuantile} from './student-t.js';

const resamples = 1000;
/** For 95 %: the fraction of the resampled differences that lies outside at each end. */
const outside = 0.025;
const normalQuantile = 1.959963984540054;
/** The typical difference between two runs of one script without a change: clocks, temperature, placement. */
const betweenRuns = 0.01;
/** With fewer samples, a difference of halves cannot be told from noise. */
const leastForHalves = 6;

/**
 * Returns the uncertainty of the difference of two samples' means, in the unit of the samples: the largest of
 *
 * - half of the 95 % interval from a bootstrap, widened by Student's t for small samples
 * - the distance between the first and the second half of a sample, by mean or by median, whichever is smaller: drift
 *   within a run also makes two runs differ
 * - 1 % of the larger mean, a usual difference between two runs
 *
 * If the noise between runs is known, the half interval covers both kinds of noise. If it was measured, it replaces the
 * last two terms, which only approximate it.
 *
 * The resampling is seeded: the same samples give the same noise, in either order.
 *
 * @see docs/metrics.md#compare-noise
 */
export function noiseOfDifference(
  one: Float64Array,
  other: Float64Array,
  ofRuns: RunDeviation | null = null,
  isMeasured = false,
): number {
  const [a, b] = [momentsOf(one), momentsOf(other)];
  const runsNs = ofRuns === null ? 0 : ofRuns.deviationNs * studentQuantile(2 * outside, ofRuns.freedom);
  const ofSteps = resampledHalfWidth(one, other);
  if (isMeasured) return Math.max(ofSteps, runsNs);
  const floor = betweenRuns * Math.max(Math.abs(a.mean), Math.abs(b.mean));
  return Math.max(Math.hypot(ofSteps, runsNs), drift(one), drift(other), floor);
}

function resampledHalfWidth(one: Float64Array, other: Float64Array): number {
  const [a, b] = [momentsOf(one), momentsOf(other)];
  if (a.variance === 0 && b.variance === 0) return 0;
  // Independent of which is the base: the smaller mean is drawn from first.
  const [first, second] = a.mean <= b.mean ? [one, other] : [other, one];
  const [low, high] = [resampledMeans(first, 0), resampledMeans(second, 1)];
  const differences = new Float64Array(resamples);
  for (let sample = 0; sample < resamples; sample++) differences[sample] = high[sample] - low[sample];
  const at = Math.floor(resamples * outside);
  const half = (nthSmallest(differences, resamples - 1 - at) - nthSmallest(differences, at)) / 2;
  const smallest = Math.min(one.length, other.length);
  const widened = studentQuantile(2 * outside, Math.min(1e6, welchFreedom(a, b))) / normalQuantile;
  return half * widened * Math.sqrt(smallest / (smallest - 1));
}

function resampledMeans(values: Float64Array, stream: number): Float64Array {
  const {length} = values;
  const draws = drawsOf(length, stream);
  const means = new Float64Array(resamples);
  for (let sample = 0, at = 0; sample < resamples; sample++) {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += values[draws[at++]];
    means[sample] = sum / length;
  }
  return means;
}

const knownDraws = new Map<number, Uint32Array>();
/** Draws for samples up to this length are kept for the next row; longer samples are rare. */
const longestKept = 1000;

/** Returns the drawn steps. All rows draw the same steps, so that a step that was slow in all of them counts once. */
function drawsOf(length: number, stream: number): Uint32Array {
  const key = length * 2 + stream;
  const known = knownDraws.get(key);
  if (known) return known;
  const random = randomNumbers(key);
  const draws = new Uint32Array(resamples * length);
  for (let at = 0; at < draws.length; at++) draws[at] = Math.floor(random() * length);
  if (length <= longestKept) knownDraws.set(key, draws);
  return draws;
}

/** Generates numbers from 0 to 1 with the 32-bit generator "mulberry32". */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function drift(values: Float64Array): number {
  if (values.length < leastForHalves) return 0;
  const middle = values.length >> 1;
  const [early, late] = [values.subarray(0, middle), values.subarray(-middle)];
  // The smaller of the two: without any drift, one slow step moves a mean, and a kernel of two sizes moves the median.
  const byMean = Math.abs(momentsOf(early).mean - momentsOf(late).mean);
  return Math.min(byMean, Math.abs(median([...early]) - median([...late])));
}
