/** Whether something is a whole number from 0 to 2³¹ − 1, as CUDA's ordinals, sizes of grids and registers are. */
export function isNatural(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31;
}

/** The same number, or -1 for all that is none. */
export function naturalOrAbsent(value: unknown): number {
  return isNatural(value) ? value : -1;
}
