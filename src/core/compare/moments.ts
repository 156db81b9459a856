/** Mean and variance of a sample. */
export interface Moments {
  readonly mean: number;
  /** Sample variance; 0 for fewer than two values. */
  readonly variance: number;
  readonly length: number;
}

/** Returns the mean and the variance of some values. */
export function momentsOf(values: ArrayLike<number>): Moments {
  const {length} = values;
  let mean = 0;
  let squares = 0;
  // Welford's method, which loses no precision if the values differ only slightly.
  for (let i = 0; i < length; i++) {
    const off = values[i] - mean;
    mean += off / (i + 1);
    squares += off * (values[i] - mean);
  }
  return {mean, variance: length < 2 ? 0 : squares / (length - 1), length};
}

/** Returns the degrees of freedom of the difference of two means. @see Welch, Biometrika 34 (1947) */
export function welchFreedom(one: Moments, other: Moments): number {
  const [a, b] = [one.variance / one.length, other.variance / other.length];
  return a + b === 0 ? Infinity : (a + b) ** 2 / (a ** 2 / (one.length - 1) + b ** 2 / (other.length - 1));
}
