import wasm from './scanner.wasm';
import {allocate} from './allocate.js';
import type {ByteWindow, WindowMemory} from './byte-window.js';
import {EventBatch} from './event-batch.js';

/** The exports of src/scanner/index.ts. */
interface Scanner {
  readonly memory: WebAssembly.Memory;
  readonly position: WebAssembly.Global;
  readonly areTextsFull: WebAssembly.Global;
  allocateWindow(capacity: number): number;
  allocateEvents(capacity: number): number;
  selectEvents(start: number, capacity: number): void;
  growTexts(): void;
  textCount(): number;
  textStart(text: number): number;
  scanEvents(window: number, from: number, end: number, offset: number, row: number, rowLimit: number): number;
}

let compiled: WebAssembly.Module | undefined;

/**
 * Scans runs of events in the form that profilers write, in WebAssembly; the lenient scanner reads the others.
 *
 * It owns the memory of the window and of the batches, since WebAssembly can access no other. That memory is shared:
 * other threads may read finished batches, and it does not move when it grows, so nothing that is being read or written
 * does.
 */
export class PlainEventScanner implements WindowMemory {
  bytes: Uint8Array = new Uint8Array(0);
  readonly batches: readonly EventBatch[];
  readonly #scanner: Scanner;
  #window = 0;
  #selected: EventBatch | null = null;

  /**
   * Returns null if the machine has no WebAssembly with vectors, or no memory for it: the lenient scanner then reads
   * everything.
   */
  static create(batchCount: number): PlainEventScanner | null {
    try {
      compiled ??= new WebAssembly.Module(wasm);
      return new PlainEventScanner(compiled, batchCount);
    } catch {
      return null;
    }
  }

  private constructor(module: WebAssembly.Module, batchCount: number) {
    const scanner = new WebAssembly.Instance(module).exports as Scanner;
    this.#scanner = scanner;
    const places = Array.from({length: batchCount}, () => scanner.allocateEvents(EventBatch.capacity));
    scanner.growTexts();
    this.batches = places.map(place => new EventBatch(scanner.memory.buffer, place));
  }

  /** Number of texts so far; text `n` has the number `2 n`. */
  get textCount(): number {
    return this.#scanner.textCount();
  }

  /** Returns the raw bytes of a text in the file, valid until the next scan. */
  textBytes(text: number): Uint8Array {
    const {memory} = this.#scanner;
    const start = addressOf(this.#scanner.textStart(text));
    return new Uint8Array(memory.buffer, start, addressOf(this.#scanner.textStart(text + 1)) - start);
  }

  /**
   * Adds the plain events from `position` of the window on to a batch, until the batch is full. Returns the position of
   * the first event that is not plain or does not end in the window, or of anything else.
   *
   * @throws RangeError if there is no memory for further texts
   */
  scan(window: ByteWindow, position: number, batch: EventBatch): number {
    const scanner = this.#scanner;
    const {capacity} = EventBatch;
    if (batch !== this.#selected) scanner.selectEvents(batch.byteOffset, capacity);
    this.#selected = batch;
    const offset = window.offsetOf(0);
    for (;;) {
      batch.length = scanner.scanEvents(this.#window, position, window.end, offset, batch.length, capacity);
      position = scanner.position.value;
      if (scanner.areTextsFull.value === 0) return position;
      allocate(() => scanner.growTexts());
    }
  }

  /** @throws RangeError if there is no memory */
  grow(length: number): void {
    const before = this.bytes;
    this.#window = addressOf(allocate(() => this.#scanner.allocateWindow(length)));
    this.bytes = new Uint8Array(this.#scanner.memory.buffer, this.#window, length);
    this.bytes.set(before);
  }
}

/** WebAssembly returns addresses as signed numbers: those in the upper half of its 4 GB are negative. */
function addressOf(pointer: number): number {
  return pointer >>> 0;
}
