import {formatMegabytes, type MemoryLimit} from '../../core/trace/memory-limit.js';
import {TraceError} from '../../core/base/errors.js';

/** Counts what reading a pickle holds, and refuses to hold more than a limit. */
export class HeldMemory {
  #bytes = 0;

  constructor(private readonly limit: MemoryLimit | undefined) {}

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
