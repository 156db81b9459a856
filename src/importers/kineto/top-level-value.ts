import {decodeUtf8} from '../reading/json-bytes.js';
import {JsonSkip} from '../reading/json-skip.js';

/** Values up to this size are kept. */
export const longestValueBytes = 1 << 20;

/** A top-level member's value, of any size, as it comes in parts: passed over, and kept where it is small. */
export class TopLevelValue {
  readonly #scan = new JsonSkip();
  #parts: Uint8Array[] = [];
  #bytes = 0;

  begin(): void {
    this.#scan.begin();
    this.#parts = [];
    this.#bytes = 0;
  }

  /** Where the value ends, or `end` where it goes on behind that. */
  skip(bytes: Uint8Array, position: number, end: number): number {
    const at = this.#scan.skip(bytes, position, end);
    this.#keep(bytes.subarray(position, at));
    return at;
  }

  /** The JSON text of what was passed over; null where that is too long. */
  get json(): string | null {
    return this.#bytes <= longestValueBytes ? decodeUtf8(Buffer.concat(this.#parts)).trim() : null;
  }

  #keep(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#bytes <= longestValueBytes) this.#parts.push(part.slice());
    else this.#parts = [];
  }
}
