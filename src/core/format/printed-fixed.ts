/** The most decimals that `toFixed` can write; a double between two such texts has fewer. */
const mostDecimals = 100;

/**
 * Formats `value` with `decimals` decimals, like Python's `'{:.3f}'` and C's `printf("%.3f")`.
 *
 * Both choose the text nearest to the double. If two are equally near, they choose the one with an even last digit,
 * while JavaScript's `toFixed` chooses the larger one: 0.0625 is `0.062` here, and `0.063` there.
 */
export function printedFixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  if (!isNearHalf(value, decimals)) return text;
  const [whole = '', fraction = ''] = value.toFixed(mostDecimals).split('.');
  if (!/^50*$/.test(fraction.slice(decimals))) return text;
  const lower = decimals === 0 ? whole : `${whole}.${fraction.slice(0, decimals)}`;
  return /[02468]$/.test(lower) ? lower : text;
}

/** Returns whether the value may be a half in its last decimal; true for numbers too large to decide. */
function isNearHalf(value: number, decimals: number): boolean {
  const scaled = Math.abs(value) * 10 ** decimals;
  return scaled % 1 === 0.5 || (scaled > Number.MAX_SAFE_INTEGER / 2 && scaled < 1e21);
}
