/** Numbers between two powers of ten that get a tick where there is room for it. */
const between = [2, 5];

/**
 * Returns the values to label on a logarithmic axis, in rising order: powers of ten, as many decades apart as keep them
 * to `most`; with 2 and 5 times each where even these are no more.
 *
 * d3's own ticks label every value between two powers as soon as the axis has room for one label a decade.
 *
 * @param domain the least and the greatest value of the axis, both above 0
 */
export function logTicks([from, to]: readonly [number, number], most: number): number[] {
  const [first, last] = [Math.floor(Math.log10(from)), Math.ceil(Math.log10(to))];
  const exponents = Array.from({length: last - first + 1}, (_, at) => first + at);
  const isShown = (value: number) => value >= from && value <= to;
  const fine = exponents.flatMap(exponent => [1, ...between].map(times => times * 10 ** exponent)).filter(isShown);
  if (fine.length <= most) return fine;
  const powers = exponents.map(exponent => 10 ** exponent).filter(isShown);
  const stride = Math.max(1, Math.ceil(powers.length / Math.max(1, most)));
  return powers.filter((_, at) => at % stride === 0);
}
