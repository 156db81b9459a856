/**
 * The part of a byte stream that has arrived and is not yet consumed.
 *
 * Behind the last byte stand zeros, a quote and zeros again, so that scanners need no bounds check in their inner loops:
 * outside a string the first zero ends them, inside one (even right behind a backslash) the quote, and then a zero.
 */
const tail = [0, 0, 0x22, 0, 0, 0, 0, 0];

/** A window onto a stream of bytes that arrives in chunks. */
export class ByteWindow {
  bytes: Uint8Array;
  /** First byte that is not consumed. */
  position = 0;
  end = 0;
  #consumed = 0;

  constructor(capacity = 1 << 16) {
    this.bytes = new Uint8Array(capacity + tail.length);
  }

  /** Offset in the stream of the byte at `index`. */
  offsetOf(index: number): number {
    return this.#consumed + index;
  }

  append(chunk: Uint8Array): void {
    const kept = this.end - this.position;
    if (kept + chunk.length + tail.length > this.bytes.length) {
      const grown = new Uint8Array(2 * (kept + chunk.length) + tail.length);
      grown.set(this.bytes.subarray(this.position, this.end));
      this.bytes = grown;
    } else {
      this.bytes.copyWithin(0, this.position, this.end);
    }
    this.#consumed += this.position;
    this.position = 0;
    this.bytes.set(chunk, kept);
    this.end = kept + chunk.length;
    this.bytes.set(tail, this.end);
  }
}
