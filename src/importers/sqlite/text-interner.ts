import type {StringTable} from '../../core/table/string-table.js';
import {ByteInterner, hashOfBytes} from '../reading/byte-interner.js';

/** Longer texts are not names: they are decoded individually, and not kept as bytes. */
const longestKept = 4096;

/** Maps UTF-8 texts in pages to indices in a string table: only new texts become strings. */
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

/** Decodes as SQLite's binding does: invalid UTF-8 is replaced, and a zero byte does not end a text. */
function decode(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}
