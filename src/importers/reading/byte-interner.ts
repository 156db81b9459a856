import {endOfString, needMore} from './json-bytes.js';

/**
 * Interns strings by their raw bytes: equal bytes get the same number, and are decoded once, at the end.
 *
 * An open-addressing hash table over one pool of bytes: interning a known string allocates nothing.
 */
export class ByteInterner {
  #table = new Int32Array(4096).fill(-1);
  #hashes = new Int32Array(1024);
  #offsets = new Int32Array(1025);
  #pool: Uint8Array = new Uint8Array(1 << 16);
  #length = 0;
  #poolView = new DataView(this.#pool.buffer);
  #bytes: Uint8Array = this.#pool;
  #bytesView: DataView = this.#poolView;
  /** Of the string that `hashString` has passed. */
  hash = 0;

  get length(): number {
    return this.#length;
  }

  /**
   * Returns the position of the quote that ends the string whose content begins at `start`, or `needMore`; sets `hash`
   * to the string's. Reads four bytes at a time: most of what is hashed is names, and kernels' names are long.
   */
  hashString(bytes: Uint8Array, start: number, end: number): number {
    const view = this.#viewOf(bytes);
    const lastWord = bytes.length - 4;
    let hash = 0;
    let at = start;
    while (at <= lastWord) {
      const word = view.getInt32(at, true);
      if (hasByte(word, quotes) || hasByte(word, backslashes)) break;
      hash = mix(hash, word);
      at += 4;
    }
    // The bytes after the end are those of an earlier chunk.
    if (at > end) return needMore;
    const close = endOfString(bytes, at, end);
    if (close >= 0) this.hash = hashBytes(hash, bytes, at, close);
    return close;
  }

  /** Returns the number of the string `bytes[start…end)`, whose hash is `hash`. */
  intern(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#table.length - 1;
    let slot = hash & mask;
    for (;;) {
      const id = this.#table[slot];
      if (id < 0) return this.#add(bytes, start, end, hash, slot);
      if (this.#hashes[id] === hash && this.#equals(id, bytes, start, end)) return id;
      slot = (slot + 1) & mask;
    }
  }

  /** Returns the raw bytes of a string in the file; the view is valid until the next `intern`. */
  bytes(id: number): Uint8Array {
    return this.#pool.subarray(this.#offsets[id], this.#offsets[id + 1]);
  }

  #equals(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#offsets[id];
    const length = end - start;
    if (this.#offsets[id + 1] - from !== length) return false;
    const pool = this.#poolView;
    const view = this.#viewOf(bytes);
    let i = 0;
    for (; i + 4 <= length; i += 4) if (pool.getInt32(from + i) !== view.getInt32(start + i)) return false;
    for (; i < length; i++) if (this.#pool[from + i] !== bytes[start + i]) return false;
    return true;
  }

  #viewOf(bytes: Uint8Array): DataView {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#bytesView = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    return this.#bytesView;
  }

  #add(bytes: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const id = this.#length++;
    const from = this.#offsets[id];
    const to = from + end - start;
    if (to > this.#pool.length) {
      const grown = new Uint8Array(Math.max(this.#pool.length * 2, to));
      grown.set(this.#pool);
      this.#pool = grown;
      this.#poolView = new DataView(grown.buffer);
    }
    if (id + 2 > this.#offsets.length) this.#growIds();
    this.#pool.set(bytes.subarray(start, end), from);
    this.#hashes[id] = hash;
    this.#offsets[id + 1] = to;
    this.#table[slot] = id;
    if (this.#length * 2 > this.#table.length) this.#rehash();
    return id;
  }

  #growIds(): void {
    const hashes = new Int32Array(this.#hashes.length * 2);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    const offsets = new Int32Array(hashes.length + 1);
    offsets.set(this.#offsets);
    this.#offsets = offsets;
  }

  #rehash(): void {
    const mask = this.#table.length * 2 - 1;
    this.#table = new Int32Array(mask + 1).fill(-1);
    for (let id = 0; id < this.#length; id++) {
      let slot = this.#hashes[id] & mask;
      while (this.#table[slot] >= 0) slot = (slot + 1) & mask;
      this.#table[slot] = id;
    }
  }
}

const quotes = 0x22222222;
const backslashes = 0x5c5c5c5c;

/** Returns whether a byte of `word` equals the one repeated in `pattern`: `word ^ pattern` then has a zero byte. */
function hasByte(word: number, pattern: number): boolean {
  const difference = word ^ pattern;
  return ((difference - 0x01010101) & ~difference & 0x80808080) !== 0;
}

/** The second step mixes high bits into the low ones, which choose the slot. */
function mix(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x9e3779b1);
  return product ^ (product >>> 15);
}

function hashBytes(hash: number, bytes: Uint8Array, start: number, end: number): number {
  for (let i = start; i < end; i++) hash = mix(hash, bytes[i]);
  return hash;
}

/** Returns a hash of bytes that are not a JSON string. */
export function hashOfBytes(bytes: Uint8Array, start: number, end: number): number {
  return hashBytes(0, bytes, start, end);
}
