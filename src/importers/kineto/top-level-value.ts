import {
  backslash,
  closeBrace,
  closeBracket,
  comma,
  decodeUtf8,
  openBrace,
  openBracket,
  quote,
} from '../reading/json-bytes.js';

/** Values up to this size are kept. */
export const longestValueBytes = 1 << 20;

/** A top-level member's value, of any size, as it comes in parts: passed over, and kept where it is small. */
export class TopLevelValue {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  begin(): void {
    this.#depth = 0;
    this.#inString = this.#escaped = false;
    this.#parts = [];
    this.#bytes = 0;
  }

  /** Where the value ends, or `end` where it goes on behind that. */
  skip(bytes: Uint8Array, position: number, end: number): number {
    let at = position;
    while (at < end && !this.#endsBefore(bytes[at])) at++;
    this.#keep(bytes.subarray(position, at));
    return at;
  }

  /** The JSON text of what was passed over; null where that is too long. */
  get json(): string | null {
    return this.#bytes <= longestValueBytes ? decodeUtf8(Buffer.concat(this.#parts)).trim() : null;
  }

  #endsBefore(byte: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === backslash) this.#escaped = true;
      else if (byte === quote) this.#inString = false;
      return false;
    }
    if (byte === quote) this.#inString = true;
    else if (byte === openBrace || byte === openBracket) this.#depth++;
    else if (byte === closeBrace || byte === closeBracket) return --this.#depth < 0;
    else return byte === comma && this.#depth === 0;
    return false;
  }

  #keep(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#bytes <= longestValueBytes) this.#parts.push(part.slice());
    else this.#parts = [];
  }
}
