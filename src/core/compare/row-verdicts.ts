import {mean} from '../base/mean.js';
import {discoveries} from './false-discovery.js';
import {noiseOfDifference} from './resampled-noise.js';
import {noiseOfRepeats, noiseOfRows, runDeviation, type RunMeans, type RunNoise} from './run-noise.js';
import {sampleTest} from './sample-test.js';

export type ComparisonVerdict = 'faster' | 'slower' | 'same' | 'cannot tell' | 'new' | 'gone';

/** The samples by which a row is judged. */
export interface Samples {
  /** Null if the row is absent on this side. */
  readonly before: Float64Array | null;
  readonly after: Float64Array | null;
  readonly deltaNs: number;
  /** Means in repeated runs; null or absent if there are none. */
  readonly runMeans?: RunMeans | null;
}

export interface Judgement {
  /** The uncertainty of the difference of the means, in the unit of the samples; null if there are too few. */
  readonly noise: number | null;
  readonly verdict: ComparisonVerdict;
}

/** With fewer samples, not even samples that do not overlap reach the 2.5 % allowed for rows. */
export const fewestSamples = 5;
/** At most 5 % of reports may have a false alarm; the total and the rows get half each. */
const rateOfEach = 0.025;

/** Returns the noise between runs for a report: measured with repeated runs, else estimated from its rows. */
export function runNoiseOf(rows: readonly Samples[]): RunNoise {
  return noiseOfRepeats(rows.map(({runMeans}) => runMeans ?? null)) ?? noiseOfRows(rows);
}

/**
 * Judges all rows of a report together: if nothing changed, at most 2.5 % of reports contain a "faster" or "slower"
 * row.
 *
 * @see docs/metrics.md#compare-noise
 */
export function judgeRows(rows: readonly Samples[], noise: RunNoise = runNoiseOf(rows)): readonly Judgement[] {
  const tested = rows.map(row => testOf(row, noise));
  const probabilities = tested.flatMap(test => (test === null ? [] : [test.probability]));
  const found = discoveries(probabilities, rateOfEach);
  let at = 0;
  return rows.map((row, index) => {
    const test = tested[index];
    return test === null ? untested(row) : judgement(test, found[at++]);
  });
}

/** Judges the total with a separate test: if nothing changed, at most 2.5 % of totals are "faster" or "slower". */
export function judgeTotal(total: Samples, noise: RunNoise = runNoiseOf([total])): Judgement {
  const test = testOf(total, noise);
  return test === null ? untested(total) : judgement(test, test.probability <= rateOfEach);
}

interface Test {
  readonly probability: number;
  /** The tested difference. */
  readonly difference: number;
  readonly noise: number;
}

function testOf(samples: Samples, noise: RunNoise): Test | null {
  const {before, after, runMeans} = samples;
  if (before === null || after === null || Math.min(before.length, after.length) < fewestSamples) return null;
  const ofRuns = runDeviation(noise, samples, runMeans ?? null);
  return {
    probability: sampleTest(before, after, ofRuns),
    difference: mean(after) - mean(before),
    noise: noiseOfDifference(before, after, ofRuns, noise.from === 'runs'),
  };
}

function untested({before, after, deltaNs}: Samples): Judgement {
  if (before === null) return {noise: null, verdict: 'new'};
  if (after === null) return {noise: null, verdict: 'gone'};
  return {noise: null, verdict: deltaNs === 0 ? 'same' : 'cannot tell'};
}

/** Returns the verdict. A difference beyond the noise that may be chance among so many rows gives "cannot tell". */
function judgement({difference, noise}: Test, isFound: boolean): Judgement {
  if (Math.abs(difference) <= noise) return {noise, verdict: 'same'};
  if (!isFound) return {noise, verdict: 'cannot tell'};
  return {noise, verdict: difference > 0 ? 'slower' : 'faster'};
}
