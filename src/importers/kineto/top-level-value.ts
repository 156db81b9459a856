import {decodeUtf8} from '../reading/json-bytes.js';
import {JsonSkip} from '../reading/json-skip.js';

/** Values up to this size are kept. */
export const longestValueBytes = 1 << 20;

/** A top-level member's value of any size, which comes in parts: skipped, but kept if it is small. */
export class TopLevelValue {
  readonly #scan = new JsonSkip();
  #parts: Uint8Array[] = [];
  #bytes = 0;

  begin(): void {
    this.#scan.begin();
    this.#parts = [];
    this.#bytes = 0;
  }

  /** Returns where the value ends, or `end` if it continues after that. */
  skip(bytes: Uint8Array, position: number, end: number): number {
    const at = this.#scan.skip(bytes, position, end);
    this.#keep(bytes.subarray(position, at));
    return at;
  }

  /** The JSON text of the skipped value; null if it is too long. */
  get json(): string | null {
    return this.#bytes <= longestValueBytes ? decodeUtf8(Buffer.concat(this.#parts)).trim() : null;
  }

  #keep(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#bytes <= longestValueBytes) this.#parts.push(part.slice());
    else this.#parts = [];
  }
}
