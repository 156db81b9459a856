import wasm from './scanner.wasm';
import type {ByteWindow, WindowMemory} from './byte-window.js';
import {EventBatch} from './event-batch.js';

/** What src/scanner/index.ts exports. */
interface Scanner {
  readonly memory: WebAssembly.Memory;
  readonly position: WebAssembly.Global;
  readonly areTextsFull: WebAssembly.Global;
  allocateWindow(capacity: number): number;
  allocateEvents(capacity: number): number;
  growTexts(): void;
  textCount(): number;
  textStart(text: number): number;
  scanEvents(window: number, from: number, end: number, offset: number, row: number, rowLimit: number): number;
}

let compiled: WebAssembly.Module | null | undefined;

/**
 * Scans runs of events that look as profilers write them, as WebAssembly; the lenient scanner takes what it leaves.
 *
 * It owns the memory of the window and of the batch, since WebAssembly reaches no other. Memory grows only between
 * scans.
 */
export class PlainEventScanner implements WindowMemory {
  bytes: Uint8Array;
  readonly batch = new EventBatch();
  readonly #scanner: Scanner;
  #window: number;
  #events: number;

  /** Null where the machine has no WebAssembly with vectors: the lenient scanner then reads everything. */
  static create(): PlainEventScanner | null {
    if (compiled === undefined) {
      try {
        compiled = new WebAssembly.Module(wasm);
      } catch {
        compiled = null;
      }
    }
    return compiled && new PlainEventScanner(compiled);
  }

  private constructor(module: WebAssembly.Module) {
    this.#scanner = new WebAssembly.Instance(module).exports as Scanner;
    this.#window = this.#scanner.allocateWindow(firstWindowBytes);
    this.#events = this.#scanner.allocateEvents(EventBatch.capacity);
    this.#scanner.growTexts();
    this.bytes = new Uint8Array(0);
    this.#lookAgain(firstWindowBytes);
  }

  /** How many texts the scanner has met; text `n` of them has the number `2 n`. */
  get textCount(): number {
    return this.#scanner.textCount();
  }

  /** The raw bytes of a text, as they stand in the file, until the next scan. */
  textBytes(text: number): Uint8Array {
    const {memory} = this.#scanner;
    const start = this.#scanner.textStart(text);
    return new Uint8Array(memory.buffer, start, this.#scanner.textStart(text + 1) - start);
  }

  /**
   * Adds the plain events from `position` of the window on to the batch, until that is full; returns the position of the
   * first one that is not plain or does not end in the window, or of whatever else comes there.
   */
  scan(window: ByteWindow, position: number): number {
    const scanner = this.#scanner;
    const {batch} = this;
    for (;;) {
      const offset = window.offsetOf(0);
      const {capacity} = EventBatch;
      batch.length = scanner.scanEvents(this.#window, position, window.end, offset, batch.length, capacity);
      position = scanner.position.value;
      if (scanner.areTextsFull.value === 0) return position;
      const {length} = this.bytes;
      scanner.growTexts();
      this.#lookAgain(length);
    }
  }

  grow(length: number): void {
    const before = this.#window;
    const {length: bytes} = this.bytes;
    this.#window = this.#scanner.allocateWindow(length);
    new Uint8Array(this.#scanner.memory.buffer).copyWithin(this.#window, before, before + bytes);
    this.#lookAgain(length);
  }

  /** Memory that grows gets a new buffer, and views of the old one are dead. */
  #lookAgain(windowBytes: number): void {
    const {buffer} = this.#scanner.memory;
    this.bytes = new Uint8Array(buffer, this.#window, windowBytes);
    this.batch.moveTo(buffer, this.#events);
  }
}

/** Room for what is read of a file at a time, and as much again of an event that has begun. */
const firstWindowBytes = 10 << 20;
