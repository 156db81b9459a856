import {memoryLimitNote, type MemoryLimit} from '../../core/trace/memory-limit.js';
import type {TraceNote} from '../../core/trace/trace.js';

/** About what an entry of a map takes, in bytes. */
export const bytesPerEntry = 64;

/** Watches that what is read stays within a limit of memory. */
export class MemoryBudget {
  #note: TraceNote | null = null;
  readonly #watched = new Set<() => number>();

  /** `held` tells what the trace takes so far. */
  constructor(
    private readonly held: {readonly heldBytes: number},
    private readonly limit: MemoryLimit | undefined,
  ) {}

  /**
   * Counts what something besides the trace takes, in bytes: what an importer remembers while it reads. Returns a
   * function that ends that, when it is remembered no longer.
   */
  watch(bytesOf: () => number): () => void {
    this.#watched.add(bytesOf);
    return () => {
      this.#watched.delete(bytesOf);
    };
  }

  /** Whether reading must end now. */
  isSpent(): boolean {
    if (this.limit && this.#heldBytes > this.limit.bytes) this.#note = memoryLimitNote(this.limit);
    return this.#note !== null;
  }

  get #heldBytes(): number {
    let bytes = this.held.heldBytes;
    for (const bytesOf of this.#watched) bytes += bytesOf();
    return bytes;
  }

  /** Says that reading ended at the limit; null where it did not. */
  get note(): TraceNote | null {
    return this.#note;
  }
}
