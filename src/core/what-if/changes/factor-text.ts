/** Returns a factor with up to two decimals: `1.5`, `2`, `0.33`. */
export function formatFixed(factor: number): string {
  return String(Number(factor.toFixed(2)));
}
