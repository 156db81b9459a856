/**
 * The part of a byte stream that has arrived and is not yet consumed.
 *
 * Two zero bytes follow the last one, so that a scanner needs no bounds check in its inner loops: a zero byte at or
 * past `end` means that more bytes are needed.
 */
export class ByteWindow {
  bytes: Uint8Array;
  /** First byte that is not consumed. */
  position = 0;
  end = 0;
  #consumed = 0;

  constructor(capacity = 1 << 16) {
    this.bytes = new Uint8Array(capacity + 2);
  }

  /** Offset in the stream of the byte at `index`. */
  offsetOf(index: number): number {
    return this.#consumed + index;
  }

  append(chunk: Uint8Array): void {
    const kept = this.end - this.position;
    if (kept + chunk.length + 2 > this.bytes.length) {
      const grown = new Uint8Array(2 * (kept + chunk.length) + 2);
      grown.set(this.bytes.subarray(this.position, this.end));
      this.bytes = grown;
    } else {
      this.bytes.copyWithin(0, this.position, this.end);
    }
    this.#consumed += this.position;
    this.position = 0;
    this.bytes.set(chunk, kept);
    this.end = kept + chunk.length;
    this.bytes[this.end] = 0;
    this.bytes[this.end + 1] = 0;
  }
}
