/** A number with this many decimals is a quotient; nobody needs its last digits. */
const longNumber = /^-?\d+\.\d{5,}(?:e[+-]?\d+)?$/;

/** Returns a value in readable form: `18.262488766401056` as `18.26`. Other texts stay unchanged. */
export function readable(value: string): string {
  if (!longNumber.test(value)) return value;
  const number = Number(value);
  return String(Math.abs(number) >= 1000 ? Math.round(number) : Number(number.toPrecision(4)));
}
