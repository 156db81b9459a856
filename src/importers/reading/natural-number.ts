/**
 * Returns whether a value is a whole number from 0 to 2³¹ − 1, as CUDA's ordinals, grid sizes and register counts are.
 */
export function isNatural(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31;
}

/** Returns the number; -1 for any other value. */
export function naturalOrAbsent(value: unknown): number {
  return isNatural(value) ? value : -1;
}
