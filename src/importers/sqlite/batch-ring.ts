import {BatchBuilder, batchBytes} from './batch-builder.js';
import type {ColumnRequests} from './table-source.js';

/** Number of batches that take turns. */
const slots = 8;

/**
 * Numbers at the head of the ring's memory. Signals are counters, so that nobody waits for one that has already
 * arrived.
 */
const word = {
  filled: 0,
  taken: 1,
  state: 2,
  writerSignal: 3,
  readerSignal: 4,
  /** 1 while that end waits: waking a thread takes as long as filling part of a batch, so it is done only then. */
  readerWaits: 5,
  writerWaits: 6,
  lengths: 8,
} as const;
const headBytes = 4 * (word.lengths + slots);
const state = {running: 0, ended: 1, failed: 2, stopped: 3} as const;

/**
 * Batches of a table that one thread fills while another one reads earlier batches, in shared memory. Each end waits
 * for the other without returning to its event loop.
 */
export class BatchRing<R extends ColumnRequests> {
  readonly memory: SharedArrayBuffer;
  readonly batches: readonly BatchBuilder<R>[];
  readonly #words: Int32Array<SharedArrayBuffer>;

  /** @param memory created by the other end */
  constructor(requests: R, memory?: SharedArrayBuffer) {
    const bytes = batchBytes(requests);
    this.memory = memory ?? new SharedArrayBuffer(headBytes + slots * bytes);
    this.#words = new Int32Array(this.memory, 0, headBytes / 4);
    this.batches = Array.from({length: slots}, (_, slot) => {
      return new BatchBuilder(requests, this.memory, headBytes + slot * bytes);
    });
  }

  /** The writer's end: `fill` fills batches by their number, until it has no more rows or the reader stops. */
  write(fill: (batch: number) => boolean, beforeEach: () => void): void {
    for (let slot = 0; this.#waitForRoom(); slot = (slot + 1) % slots) {
      const hasRows = fill(slot);
      beforeEach();
      if (!hasRows) break;
      Atomics.store(this.#words, word.lengths + slot, this.batches[slot].length);
      Atomics.add(this.#words, word.filled, 1);
      this.#signal(word.writerSignal, Atomics.load(this.#words, word.readerWaits) === 1);
    }
    this.#end(state.ended);
  }

  /** Reports that the writer has failed. */
  fail(): void {
    this.#end(state.failed);
  }

  /**
   * The reader's end: the next batch, valid until it is released; null at the end, or the reason for failure.
   *
   * @param patienceMs how long to wait for the writer's next batch
   */
  next(patienceMs: number): BatchBuilder<R> | 'failed' | 'silent' | null {
    const words = this.#words;
    for (;;) {
      const signal = Atomics.load(words, word.writerSignal);
      // Load the state first: a writer that has ended has filled all batches before.
      const now = Atomics.load(words, word.state);
      const taken = Atomics.load(words, word.taken);
      if (Atomics.load(words, word.filled) > taken) {
        const batch = this.batches[taken % slots];
        batch.length = Atomics.load(words, word.lengths + (taken % slots));
        return batch;
      }
      if (now === state.failed) return 'failed';
      if (now !== state.running) return null;
      if (this.#wait(word.writerSignal, word.readerWaits, signal, patienceMs) === 'timed-out') return 'silent';
    }
  }

  /** Returns the batch that was read to the writer, which is woken once there is room for several. */
  release(): void {
    const words = this.#words;
    const left = Atomics.load(words, word.filled) - Atomics.add(words, word.taken, 1) - 1;
    this.#signal(word.readerSignal, Atomics.load(words, word.writerWaits) === 1 && left <= slots / 2);
  }

  /** Tells the writer that the reader wants no more. */
  stop(): void {
    Atomics.compareExchange(this.#words, word.state, state.running, state.stopped);
    this.#signal(word.readerSignal, true);
  }

  /** Returns false if the reader has stopped. */
  #waitForRoom(): boolean {
    const words = this.#words;
    for (;;) {
      const signal = Atomics.load(words, word.readerSignal);
      if (Atomics.load(words, word.state) === state.stopped) return false;
      if (Atomics.load(words, word.filled) - Atomics.load(words, word.taken) < slots) return true;
      this.#wait(word.readerSignal, word.writerWaits, signal);
    }
  }

  #end(how: number): void {
    Atomics.compareExchange(this.#words, word.state, state.running, how);
    this.#signal(word.writerSignal, true);
  }

  /**
   * Waits for a signal after `seen`. The signal is counted before the other end checks whether this one waits, so none
   * is missed.
   */
  #wait(which: number, waits: number, seen: number, patienceMs?: number): ReturnType<typeof Atomics.wait> {
    Atomics.store(this.#words, waits, 1);
    const outcome = Atomics.wait(this.#words, which, seen, patienceMs);
    Atomics.store(this.#words, waits, 0);
    return outcome;
  }

  #signal(which: number, wakes: boolean): void {
    Atomics.add(this.#words, which, 1);
    if (wakes) Atomics.notify(this.#words, which);
  }
}
