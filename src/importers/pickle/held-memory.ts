import {formatMegabytes, type MemoryLimit} from '../../core/trace/memory-limit.js';
import {TraceError} from '../../core/base/errors.js';
import {say} from '../../core/base/say.js';

/** Counts the memory that reading a pickle holds, and rejects more than a limit. */
export class HeldMemory {
  /** The fraction of the file read so far, from which a column's final length is estimated; 0 if unknown. */
  readShare = 0;
  #bytes = 0;

  constructor(private readonly limit: MemoryLimit | undefined) {}

  /**
   * Returns the new capacity of a column that is full with `length` values: its final length if the rest of the file
   * resembles what was read. Too long a column costs little, because untouched memory is not taken from the machine;
   * copying long columns costs much.
   */
  nextLength(length: number, bytesPerValue: number): number {
    // Near the end of the file, doubling is not needed.
    const least = Math.ceil(length * (this.readShare > 0.5 ? 1.1 : 2));
    const expected = this.readShare > 0 ? Math.ceil((length / this.readShare) * 1.02) : 0;
    const affordable = this.limit ? (this.limit.bytes - this.#bytes) / 4 / bytesPerValue : expected;
    return Math.max(least, Math.floor(Math.min(length * 64, expected, affordable)));
  }

  /** Counts bytes before they are held. @throws TraceError `import/too-large` */
  take(bytes: number): void {
    this.#bytes += bytes;
    if (!this.limit || this.#bytes <= this.limit.bytes) return;
    throw new TraceError(
      'import/too-large',
      say(
        'The snapshot needs more than {0} of memory. {1} raises the limit.',
        formatMegabytes(this.limit),
        this.limit.name,
      ),
    );
  }
}
