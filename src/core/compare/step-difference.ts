/** A figure measured step by step, ns. */
export interface StepFigure {
  readonly meanNs: number;
  /** Sample standard deviation over the steps; NaN for fewer than two. */
  readonly deviationNs: number;
  readonly steps: number;
}

/** The difference to an earlier figure, as a fraction of it: 0.12 is 12 % more. */
export interface Difference {
  readonly fraction: number;
  /** Half of the 95 % confidence interval of the true difference, from the noise between steps. */
  readonly noiseFraction: number;
}

/**
 * Returns the difference of two figures with its noise: Welch's interval for means of samples with different variances.
 * Null if a side has fewer than two steps, or the earlier figure is 0.
 *
 * @see docs/metrics.md#delta
 */
export function differenceOf(now: StepFigure, before: StepFigure): Difference | null {
  if (now.steps < 2 || before.steps < 2 || !(before.meanNs > 0)) return null;
  const own = now.deviationNs ** 2 / now.steps;
  const other = before.deviationNs ** 2 / before.steps;
  const variance = own + other;
  if (Number.isNaN(variance)) return null;
  const freedom =
    variance === 0 ? Infinity : variance ** 2 / (own ** 2 / (now.steps - 1) + other ** 2 / (before.steps - 1));
  return {
    fraction: (now.meanNs - before.meanNs) / before.meanNs,
    noiseFraction: (studentsT(freedom) * Math.sqrt(variance)) / before.meanNs,
  };
}

/** Returns whether the difference exceeds the noise. */
export function isAboveNoise({fraction, noiseFraction}: Difference): boolean {
  return Math.abs(fraction) > noiseFraction;
}

/** Student's t for 95 % on both sides, by degrees of freedom from 1 to 30. NIST/SEMATECH e-Handbook, 1.3.6.7.2. */
const quantiles = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
] as const;

/** Returns the quantile. Degrees of freedom are rounded down, and 30 at most, so the interval is rather too wide. */
function studentsT(freedom: number): number {
  return quantiles[Math.min(quantiles.length, Math.max(1, Math.floor(freedom))) - 1];
}
