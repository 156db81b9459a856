/**
 * Behind the last byte stand zeros, a quote and zeros again, so that scanners need no bounds check in their inner loops:
 * outside a string the first zero ends them, inside one (even right behind a backslash) the quote, and then a zero.
 */
const tail = [0, 0, 0x22, 0, 0, 0, 0, 0];

/** Where the bytes of a window are kept. */
export interface WindowMemory {
  /** Replaced when the memory grows, so nobody may keep it meanwhile. */
  readonly bytes: Uint8Array;
  /** Makes `bytes` at least so long; what was in it stays. */
  grow(length: number): void;
}

/** The part of a byte stream that has arrived and is not yet consumed. */
export class ByteWindow {
  /** First byte that is not consumed. */
  position = 0;
  end = 0;
  #consumed = 0;

  constructor(private readonly memory: WindowMemory = new PlainMemory()) {}

  get bytes(): Uint8Array {
    return this.memory.bytes;
  }

  /** Offset in the stream of the byte at `index`. */
  offsetOf(index: number): number {
    return this.#consumed + index;
  }

  append(chunk: Uint8Array): void {
    const kept = this.end - this.position;
    this.bytes.copyWithin(0, this.position, this.end);
    if (kept + chunk.length + tail.length > this.bytes.length) {
      this.memory.grow(2 * (kept + chunk.length) + tail.length);
    }
    this.#consumed += this.position;
    this.position = 0;
    this.bytes.set(chunk, kept);
    this.end = kept + chunk.length;
    this.bytes.set(tail, this.end);
  }
}

class PlainMemory implements WindowMemory {
  bytes: Uint8Array = new Uint8Array(1 << 16);

  grow(length: number): void {
    const grown = new Uint8Array(length);
    grown.set(this.bytes);
    this.bytes = grown;
  }
}
