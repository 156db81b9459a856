/** Returns the mean of some numbers; NaN for none. */
export function mean(numbers: Float64Array): number {
  return numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}
