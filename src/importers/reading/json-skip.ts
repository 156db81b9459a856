import {backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote} from './json-bytes.js';

/** Passes over a JSON value of any size and depth that comes in chunks. */
export class JsonSkip {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  begin(): void {
    this.#depth = 0;
    this.#isInString = this.#isEscaped = false;
  }

  /** The position of what follows the value (a comma, or the end of what it stands in), or `end` where it goes on. */
  skip(bytes: Uint8Array, position: number, end: number): number {
    let at = position;
    while (at < end && !this.#endsBefore(bytes[at])) at++;
    return at;
  }

  #endsBefore(byte: number): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isInString = false;
      return false;
    }
    if (byte === quote) this.#isInString = true;
    else if (byte === openBrace || byte === openBracket) this.#depth++;
    else if (byte === closeBrace || byte === closeBracket) return --this.#depth < 0;
    else return byte === comma && this.#depth === 0;
    return false;
  }
}
