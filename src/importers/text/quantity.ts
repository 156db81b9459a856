/** A number with its unit, in the unit's base: ns, bytes, percent. */
export interface Quantity {
  readonly value: number;
  readonly dimension: 'time' | 'bytes' | 'percent' | 'none';
}

/** Powers of ten from each unit of time to ns. */
const timeExponents: ReadonlyMap<string, number> = new Map([
  ['ns', 0],
  ['us', 3],
  ['µs', 3],
  ['μs', 3],
  ['ms', 6],
  ['s', 9],
  ['sec', 9],
]);

/** PyTorch counts memory in units of 1024, and writes bytes as "b" and "B". */
const byteUnits: ReadonlyMap<string, number> = new Map([
  ['b', 1],
  ['kb', 2 ** 10],
  ['mb', 2 ** 20],
  ['gb', 2 ** 30],
  ['tb', 2 ** 40],
]);

const quantity = /^([+-]?)([\d,]*\.?\d*(?:[eE][+-]?\d{1,3})?) ?([%A-Za-zµμ]{0,3})$/;
const thousands = /^\d{1,3}(,\d{3})+(\.\d+)?$/;

/**
 * Parses `1,951,345,647`, `83.241 ms`, `-3.07 Gb`, `+2.2` and `60.4%`; null for anything else. The decimal point is
 * moved instead of multiplying: 83.241 ms is exactly 83241000 ns.
 */
export function parseQuantity(text: string): Quantity | null {
  const match = quantity.exec(text.length > 64 ? '' : text.trim());
  if (!match) return null;
  const [, sign, digits, unit] = match;
  const isNumber = /\d/.test(digits) && (!digits.includes(',') || thousands.test(digits));
  return isNumber ? inUnit(sign + digits.replaceAll(',', ''), unit) : null;
}

function inUnit(number: string, unit: string): Quantity | null {
  if (unit === '') return finite(Number(number), 'none');
  if (unit === '%') return finite(Number(number), 'percent');
  const exponent = timeExponent(unit);
  if (exponent !== null) return finite(timesPowerOfTen(number, exponent), 'time');
  const bytes = byteUnits.get(unit.toLowerCase());
  return bytes === undefined ? null : finite(Math.round(Number(number) * bytes), 'bytes');
}

/** Returns `number` × 10^`exponent`, as if it had been written so. */
export function timesPowerOfTen(number: string | number, exponent: number): number {
  const text = String(number);
  return /e/i.test(text) ? Number(text) * 10 ** exponent : Number(`${text}e${String(exponent)}`);
}

/** Returns the power of ten from a unit of time to ns; null if it is not a unit of time. */
export function timeExponent(unit: string): number | null {
  return timeExponents.get(unit) ?? null;
}

function finite(value: number, dimension: Quantity['dimension']): Quantity | null {
  return Number.isFinite(value) ? {value, dimension} : null;
}
