import type {StringTable} from '../../core/table/string-table.js';
import {ByteInterner, hashOfBytes} from '../reading/byte-interner.js';

/** Longer texts are names of nothing: they are decoded one by one, and not kept as bytes. */
const longestKept = 4096;

/** Indices in a string table of texts that stand as UTF-8 in pages: only new ones become strings. */
export class TextInterner {
  readonly #bytes = new ByteInterner();
  readonly #indices: number[] = [];

  constructor(readonly strings: StringTable) {}

  index(bytes: Uint8Array, start: number, end: number): number {
    if (end === start) return 0;
    if (end - start > longestKept) return this.strings.intern(decode(bytes, start, end));
    const id = this.#bytes.intern(bytes, start, end, hashOfBytes(bytes, start, end));
    if (id === this.#indices.length) this.#indices.push(this.strings.intern(decode(bytes, start, end)));
    return this.#indices[id];
  }
}

/** As SQLite's texts become strings: what is no UTF-8 is replaced, nothing is cut off at a zero byte. */
function decode(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}
