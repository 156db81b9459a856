import {GrowingColumn} from './growing-column.js';
import {hashSeed} from './hash-seed.js';
import type {HeldMemory} from './held-memory.js';

/** Overhead of a text besides its characters, in bytes. */
const bytesPerText = 80;
/** Texts of more bytes are looked up as strings: they are few. */
const longestKnownBytes = 64;

/** Texts of a pickle by number, each distinct one once. */
export class TextIds {
  readonly texts: string[] = [];
  readonly #ids = new Map<string, number>();
  /** Short texts as bytes, so that a repeated one need not be decoded. */
  readonly #bytes: GrowingColumn<Uint8Array>;
  readonly #starts: GrowingColumn<Int32Array>;
  readonly #knownIds: GrowingColumn<Int32Array>;
  /** Rows of the three columns by the hash of the bytes, plus 1; 0 is free. */
  #slots = new Int32Array(1 << 10);

  constructor(private readonly held: HeldMemory) {
    this.#bytes = new GrowingColumn(new Uint8Array(1 << 12), held);
    this.#starts = new GrowingColumn(new Int32Array(256), held);
    this.#knownIds = new GrowingColumn(new Int32Array(256), held);
    this.#starts.push(0);
  }

  /** Returns the number of a text, and stores a new one. */
  idOf(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      this.held.take(bytesPerText + 2 * text.length);
      id = this.texts.push(text) - 1;
      this.#ids.set(text, id);
    }
    return id;
  }

  /** Returns the number of the text in some bytes of UTF-8. */
  idAt(buffer: Buffer, at: number, length: number): number {
    if (length > longestKnownBytes) return this.idOf(buffer.toString('utf8', at, at + length));
    const mask = this.#slots.length - 1;
    let slot = hashOf(buffer, at, length) & mask;
    for (let row = this.#slots[slot]; row !== 0; row = this.#slots[slot]) {
      if (this.#isAt(row - 1, buffer, at, length)) return this.#knownIds.values[row - 1];
      slot = (slot + 1) & mask;
    }
    const id = this.idOf(buffer.toString('utf8', at, at + length));
    for (let i = at; i < at + length; i++) this.#bytes.push(buffer[i]);
    this.#starts.push(this.#bytes.length);
    const row = this.#knownIds.push(id);
    this.#slots[slot] = row + 1;
    if (2 * row > this.#slots.length) this.#rehash();
    return id;
  }

  #isAt(row: number, buffer: Buffer, at: number, length: number): boolean {
    const start = this.#starts.values[row];
    if (this.#starts.values[row + 1] - start !== length) return false;
    const bytes = this.#bytes.values;
    for (let i = 0; i < length; i++) if (bytes[start + i] !== buffer[at + i]) return false;
    return true;
  }

  #rehash(): void {
    this.held.take(this.#slots.length * Int32Array.BYTES_PER_ELEMENT);
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    const starts = this.#starts.values;
    for (let row = 0; row < this.#knownIds.length; row++) {
      let slot = hashOf(this.#bytes.values, starts[row], starts[row + 1] - starts[row]) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = row + 1;
    }
    this.#slots = slots;
  }
}

function hashOf(bytes: Uint8Array, at: number, length: number): number {
  let mixed = hashSeed ^ length;
  for (let i = at; i < at + length; i++) mixed = Math.imul(mixed ^ bytes[i], 0x01000193);
  return mixed ^ (mixed >>> 15);
}
