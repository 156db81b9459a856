import {backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote} from './json-bytes.js';

/** Skips a JSON value of any size and depth that arrives in chunks. */
export class JsonSkip {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  begin(): void {
    this.#depth = 0;
    this.#isInString = this.#isEscaped = false;
  }

  /**
   * Returns the position after the value (of a comma, or the end of its container), or `end` if the value continues.
   */
  skip(bytes: Uint8Array, position: number, end: number): number {
    const read = bytes.subarray(0, end);
    let at = position;
    while (at < end) {
      if (this.#isInString) at = this.#skipString(read, at);
      else if (this.#endsBefore(bytes[at])) return at;
      else at++;
    }
    return at;
  }

  /** Moves on after the quote that ends the current string, or to the end of the bytes: most skipped bytes are text. */
  #skipString(bytes: Uint8Array, position: number): number {
    let at = this.#isEscaped ? position + 1 : position;
    for (;;) {
      const found = bytes.indexOf(quote, at);
      const close = found < 0 ? bytes.length : found;
      let slashes = 0;
      while (close - slashes > at && bytes[close - slashes - 1] === backslash) slashes++;
      this.#isEscaped = slashes % 2 === 1;
      if (found < 0) return close;
      at = close + 1;
      if (!this.#isEscaped) {
        this.#isInString = false;
        return at;
      }
    }
  }

  #endsBefore(byte: number): boolean {
    if (byte === quote) this.#isInString = true;
    else if (byte === openBrace || byte === openBracket) this.#depth++;
    else if (byte === closeBrace || byte === closeBracket) return --this.#depth < 0;
    else return byte === comma && this.#depth === 0;
    return false;
  }
}
