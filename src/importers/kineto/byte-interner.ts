/**
 * Strings by their raw bytes: the same bytes get the same number, and are decoded once at the end.
 *
 * An open-addressing hash table over one pool of bytes: interning a string that is known allocates nothing.
 */
export class ByteInterner {
  #table = new Int32Array(4096).fill(-1);
  #hashes = new Int32Array(1024);
  #offsets = new Int32Array(1025);
  #pool = new Uint8Array(1 << 16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The number of the string `bytes[start…end)`, whose hash is `hash`. */
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

  /** The raw bytes of a string, as they stand in the file; the view is valid until the next `intern`. */
  bytes(id: number): Uint8Array {
    return this.#pool.subarray(this.#offsets[id], this.#offsets[id + 1]);
  }

  #equals(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#offsets[id];
    const length = end - start;
    if (this.#offsets[id + 1] - from !== length) return false;
    for (let i = 0; i < length; i++) if (this.#pool[from + i] !== bytes[start + i]) return false;
    return true;
  }

  #add(bytes: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const id = this.#length++;
    const from = this.#offsets[id];
    const to = from + end - start;
    if (to > this.#pool.length) {
      const grown = new Uint8Array(Math.max(this.#pool.length * 2, to));
      grown.set(this.#pool);
      this.#pool = grown;
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
