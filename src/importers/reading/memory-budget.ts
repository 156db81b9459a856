import {memoryLimitNote, type MemoryLimit} from '../../core/trace/memory-limit.js';
import type {TraceNote} from '../../core/trace/trace.js';

/** Approximate size of a map entry, in bytes. */
export const bytesPerEntry = 64;

/** Checks that an import stays within a limit of memory. */
export class MemoryBudget {
  #note: TraceNote | null = null;
  readonly #watched = new Set<() => number>();

  /** `held` returns the memory of the trace so far. */
  constructor(
    private readonly held: {readonly heldBytes: number},
    private readonly limit: MemoryLimit | undefined,
  ) {}

  /**
   * Counts memory besides the trace, in bytes: data that an importer keeps while it reads. Returns a function that
   * stops counting it, for when it is freed.
   */
  watch(bytesOf: () => number): () => void {
    this.#watched.add(bytesOf);
    return () => {
      this.#watched.delete(bytesOf);
    };
  }

  /** Returns whether reading must end now. */
  isSpent(): boolean {
    if (this.limit && this.#heldBytes > this.limit.bytes) this.#note = memoryLimitNote(this.limit);
    return this.#note !== null;
  }

  get #heldBytes(): number {
    let bytes = this.held.heldBytes;
    for (const bytesOf of this.#watched) bytes += bytesOf();
    return bytes;
  }

  /** A note that reading ended at the limit; null if it did not. */
  get note(): TraceNote | null {
    return this.#note;
  }
}
