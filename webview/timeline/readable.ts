/** A number with so many decimals is a quotient, whose last digits nobody reads. */
const longNumber = /^-?\d+\.\d{5,}(?:e[+-]?\d+)?$/;

/** A value as people read it: `18.262488766401056` as `18.26`. Other texts stay as they are. */
export function readable(value: string): string {
  if (!longNumber.test(value)) return value;
  const number = Number(value);
  return String(Math.abs(number) >= 1000 ? Math.round(number) : Number(number.toPrecision(4)));
}
