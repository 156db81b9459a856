import {groupStatistics} from '../figures/group-statistics.js';

/** Statistics of the measured steps of one point, in ns. */
export interface StepStatistics {
  readonly meanNs: number;
  /** Of the sample (n − 1); null for a single step. */
  readonly stdNs: number | null;
  readonly minNs: number;
  readonly maxNs: number;
  readonly medianNs: number;
}

/** Returns the statistics of steps; null for none. @see docs/metrics.md#benchmark-steps */
export function stepStatistics(stepNs: readonly number[]): StepStatistics | null {
  if (stepNs.length === 0) return null;
  const groups = {groupOf: new Int32Array(stepNs.length), length: 1};
  const {mean, standardDeviation, min, max, median} = groupStatistics(Float64Array.from(stepNs), groups);
  return {
    meanNs: mean[0],
    stdNs: stepNs.length < 2 ? null : standardDeviation[0],
    minNs: min[0],
    maxNs: max[0],
    medianNs: median[0],
  };
}

/** Steps that vary by more than this fraction of their mean were disturbed, or not warmed up. */
const mostSteadyFraction = 0.25;

/** Returns whether steps vary so much that their mean is unreliable. @see docs/metrics.md#benchmark-unsteady */
export function isUnsteady(statistics: Pick<StepStatistics, 'meanNs' | 'stdNs'> | null): boolean {
  return (statistics?.stdNs ?? 0) > mostSteadyFraction * (statistics?.meanNs ?? 0);
}

/**
 * An outlier is at least this many median absolute deviations from the median; the next constant is the least fraction
 * of the median.
 */
const outlierDeviations = 5;
const leastOutlierFraction = 0.05;

/**
 * Returns, for each step, whether it is an outlier: further from the median than five times the median absolute
 * deviation, and than 5 % of the median. A mean and a standard deviation would be distorted by the very outlier that
 * they should find.
 *
 * @see docs/metrics.md#benchmark-outliers
 */
export function outliers(stepNs: readonly number[]): boolean[] {
  const statistics = stepStatistics(stepNs);
  if (!statistics || stepNs.length < 3) return stepNs.map(() => false);
  const {medianNs} = statistics;
  const distances = stepNs.map(ns => Math.abs(ns - medianNs));
  const spreadNs = stepStatistics(distances)?.medianNs ?? 0;
  const limitNs = Math.max(outlierDeviations * spreadNs, leastOutlierFraction * medianNs);
  return distances.map(distance => distance > limitNs);
}
