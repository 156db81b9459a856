import {isDigit, needMore} from '../reading/json-bytes.js';

/** Longer integers do not fit a double: their text is kept instead. */
const exactDigits = 15;
/** No profiler writes a longer number. */
const longestNumber = 64;

/**
 * Reads JSON numbers without conversion to a double, so that a timestamp keeps its nanoseconds.
 *
 * After `scan`, `whole` is the integer part and `thousandths` the first three decimals (rounded at the fourth), both
 * with the number's sign; `isExact` is false if the integer part has more than 15 digits. A double is used only for
 * numbers with an exponent.
 */
export class NumberScanner {
  whole = 0;
  thousandths = 0;
  isExact = true;

  /** Returns whether a number can begin with this byte. */
  static begins(byte: number): boolean {
    return isDigit(byte) || byte === 0x2d;
  }

  /** Returns the position after the number that begins at `position`, or `needMore`. */
  scan(bytes: Uint8Array, position: number, end: number): number {
    const start = position;
    const isNegative = bytes[position] === 0x2d;
    if (isNegative) position++;
    const firstDigit = position;
    let whole = 0;
    while (isDigit(bytes[position])) whole = whole * 10 + (bytes[position++] - 0x30);
    this.isExact = position - firstDigit <= exactDigits || Number.isSafeInteger(whole);
    this.thousandths = 0;
    if (bytes[position] === 0x2e) position = this.#scanDecimals(bytes, position + 1);
    if (bytes[position] === 0x65 || bytes[position] === 0x45) {
      return this.#scanExponent(bytes, start, position, end);
    }
    // The zero byte that ends the window may be in the place of further digits.
    if (position >= end) return needMore;
    this.whole = isNegative ? -whole : whole;
    if (isNegative) this.thousandths = -this.thousandths;
    return position;
  }

  #scanDecimals(bytes: Uint8Array, position: number): number {
    const firstDecimal = position;
    let thousandths = 0;
    while (isDigit(bytes[position])) {
      const place = position - firstDecimal;
      const digit = bytes[position++] - 0x30;
      if (place < 3) thousandths += digit * decimalPlaces[place];
      else if (place === 3 && digit >= 5) thousandths++;
    }
    this.thousandths = thousandths;
    return position;
  }

  #scanExponent(bytes: Uint8Array, start: number, position: number, end: number): number {
    position++;
    if (bytes[position] === 0x2b || bytes[position] === 0x2d) position++;
    while (isDigit(bytes[position])) position++;
    if (position >= end) return needMore;
    const length = position - start;
    const number = length > longestNumber ? NaN : Number(latin1(bytes, start, position));
    // A number too large for a double is invalid, not 0: as a time, 0 would put the event at the trace's beginning.
    this.whole = Number.isFinite(number) ? Math.trunc(number) : NaN;
    this.thousandths = Number.isFinite(number) ? Math.round((number - this.whole) * 1000) : 0;
    this.isExact = Number.isSafeInteger(this.whole);
    return position;
  }
}

const decimalPlaces = [100, 10, 1];

/** Decodes bytes as one character each. */
function latin1(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]);
  return text;
}
