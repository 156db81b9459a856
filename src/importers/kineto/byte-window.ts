/**
 * After the last byte follow zeros, a quote and zeros again, so that scanners need no bounds check in their inner
 * loops. Outside a string the first zero stops them; inside one (even right after a backslash) the quote does, and
 * then a zero.
 */
const tail = [0, 0, 0x22, 0, 0, 0, 0, 0];

/** The memory of a window. */
export interface WindowMemory {
  /** Replaced when the memory grows, so no caller may keep it. */
  readonly bytes: Uint8Array;
  /** Grows `bytes` to at least this length; its contents stay. */
  grow(length: number): void;
}

/**
 * The part of a byte stream that has arrived and is not consumed yet.
 *
 * Two halves take turns: while one is scanned, the next chunk may be read into the other. The rest of the first is then
 * copied in front of that chunk, so that the chunk stays where it was read:
 *
 *     half 0   ····rest|chunk 1 ##################~rest~|tail      scanned
 *     half 1           ····~rest~|chunk 2 ###################|tail
 */
export class ByteWindow {
  /** First byte that is not consumed. */
  position = 0;
  end = 0;
  /** Offset in the stream of the byte at index 0. */
  #origin = 0;
  #chunkBytes: number;
  #restBytes: number;
  #half = 0;

  /** Takes chunks of up to `chunkBytes`. The rest of a chunk may be a quarter of that before the memory must grow. */
  constructor(
    private readonly memory: WindowMemory = new PlainMemory(),
    chunkBytes = 1 << 18,
  ) {
    this.#chunkBytes = chunkBytes;
    this.#restBytes = chunkBytes >> 2;
    memory.grow(2 * this.#halfBytes);
  }

  get bytes(): Uint8Array {
    return this.memory.bytes;
  }

  /** Offset in the stream of the byte at `index`. */
  offsetOf(index: number): number {
    return this.#origin + index;
  }

  /** Where to write the next chunk, even while the present one is scanned. */
  get target(): Uint8Array {
    const start = this.#targetStart;
    return this.bytes.subarray(start, start + this.#chunkBytes);
  }

  /** Moves on to the chunk of `length` bytes written to `target`. */
  advance(length: number): void {
    const rest = this.end - this.position;
    const start = rest > this.#restBytes ? this.#makeRoom(rest, length) : this.#targetStart;
    this.bytes.copyWithin(start - rest, this.position, this.end);
    this.#origin += this.position - (start - rest);
    this.position = start - rest;
    this.end = start + length;
    this.bytes.set(tail, this.end);
    this.#half = 1 - this.#half;
  }

  /** Moves on to a copy of a chunk, of at most `target`'s length. */
  append(chunk: Uint8Array): void {
    this.target.set(chunk);
    this.advance(chunk.length);
  }

  get #halfBytes(): number {
    return this.#restBytes + this.#chunkBytes + tail.length;
  }

  get #targetStart(): number {
    return (1 - this.#half) * this.#halfBytes + this.#restBytes;
  }

  /** Enlarges the halves so that the rest fits. Returns where the moved chunk now begins. */
  #makeRoom(rest: number, length: number): number {
    const chunk = this.#targetStart;
    // Longer than the previous memory, so that the second half comes after it.
    this.#restBytes = 2 * (rest + this.bytes.length);
    this.memory.grow(2 * this.#halfBytes);
    this.#half = 0;
    const start = this.#targetStart;
    this.bytes.copyWithin(start, chunk, chunk + length);
    return start;
  }
}

class PlainMemory implements WindowMemory {
  bytes: Uint8Array = new Uint8Array(0);

  grow(length: number): void {
    const grown = new Uint8Array(length);
    grown.set(this.bytes);
    this.bytes = grown;
  }
}
