/** Returns the value, or null if it is absent (-1) or too large for a double (below -1). */
export function orNull(value: number): number | null {
  return value >= 0 ? value : null;
}
