import {memoryLimitNote, type MemoryLimit} from '../core/memory-limit.js';
import type {TraceNote} from '../core/trace/trace.js';

/** Watches that what is read stays within a limit of memory. */
export class MemoryBudget {
  #note: TraceNote | null = null;

  /** `held` tells what the trace takes so far. */
  constructor(
    private readonly held: {readonly heldBytes: number},
    private readonly limit: MemoryLimit | undefined,
  ) {}

  /** Whether reading must end now. */
  isSpent(): boolean {
    if (this.limit && this.held.heldBytes > this.limit.bytes) this.#note = memoryLimitNote(this.limit);
    return this.#note !== null;
  }

  /** Says that reading ended at the limit; null where it did not. */
  get note(): TraceNote | null {
    return this.#note;
  }
}
