import {formatMegabytes, type MemoryLimit} from '../../core/trace/memory-limit.js';
import {TraceError} from '../../core/base/errors.js';

/** Counts what reading a pickle holds, and refuses to hold more than a limit. */
export class HeldMemory {
  /** The share of the file that was read, so that a column's final length can be guessed; 0 where nobody knows. */
  readShare = 0;
  #bytes = 0;

  constructor(private readonly limit: MemoryLimit | undefined) {}

  /**
   * How long a column should become that has `length` values of so many bytes and needs another: as long as it will be
   * at the end if the rest of the file is like what was read. Columns that are too long cost little, because memory
   * that nobody writes to is not taken from the machine; copies of long columns cost much.
   */
  nextLength(length: number, bytesPerValue: number): number {
    // Near the end of the file, the little that is to come needs no doubling.
    const least = Math.ceil(length * (this.readShare > 0.5 ? 1.1 : 2));
    const expected = this.readShare > 0 ? Math.ceil((length / this.readShare) * 1.02) : 0;
    const affordable = this.limit ? (this.limit.bytes - this.#bytes) / 4 / bytesPerValue : expected;
    return Math.max(least, Math.floor(Math.min(length * 64, expected, affordable)));
  }

  /** Tells of bytes that are about to be held. @throws TraceError `import/too-large` */
  take(bytes: number): void {
    this.#bytes += bytes;
    if (!this.limit || this.#bytes <= this.limit.bytes) return;
    throw new TraceError(
      'import/too-large',
      `The snapshot needs more than ${formatMegabytes(this.limit)} of memory: ${this.limit.name} raises the limit.`,
    );
  }
}
