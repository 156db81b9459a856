/** `toFixed` writes no more decimals than this; a double that lies between two texts has fewer. */
const mostDecimals = 100;

/**
 * `value` with `decimals` decimals, as Python's `'{:.3f}'` and C's `printf("%.3f")` write it.
 *
 * Both take the text that is nearest to the double. Where two are equally near, they take the one with an even last
 * digit; JavaScript's `toFixed` takes the larger one: 0.0625 is `0.062` here, and `0.063` there.
 */
export function printedFixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  if (!isNearHalf(value, decimals)) return text;
  const [whole = '', fraction = ''] = value.toFixed(mostDecimals).split('.');
  if (!/^50*$/.test(fraction.slice(decimals))) return text;
  const lower = decimals === 0 ? whole : `${whole}.${fraction.slice(0, decimals)}`;
  return /[02468]$/.test(lower) ? lower : text;
}

/** Whether the value may be a half in its last decimal: numbers that are too large to tell may be. */
function isNearHalf(value: number, decimals: number): boolean {
  const scaled = Math.abs(value) * 10 ** decimals;
  return scaled % 1 === 0.5 || (scaled > Number.MAX_SAFE_INTEGER / 2 && scaled < 1e21);
}
