import {GrowingColumn, type Numbers} from './growing-column.js';
import type {HeldMemory} from './held-memory.js';

/** A column that takes no memory until a row differs from `absent`: most snapshots lack what such columns tell. */
export class RareColumn<Values extends Numbers> {
  length = 0;
  #column: GrowingColumn<Values> | null = null;

  constructor(
    private readonly make: (length: number) => Values,
    private readonly absent: number,
    private readonly held: HeldMemory,
  ) {}

  /** Adds a value; returns its index. */
  push(value: number): number {
    this.#column?.push(value);
    const row = this.length++;
    if (!this.#column) this.set(row, value);
    return row;
  }

  set(row: number, value: number): void {
    if (!this.#column) {
      if (Object.is(value, this.absent)) return;
      this.#column = new GrowingColumn(this.make(Math.max(64, this.length)), this.held);
      this.#column.values.fill(this.absent);
      this.#column.length = this.length;
    }
    this.#column.set(row, value);
  }

  /** The values from a row and before another, without a copy; null where all are absent so far. */
  part(from: number, to: number): Values | null {
    return (this.#column?.values.subarray(from, to) as Values | undefined) ?? null;
  }

  /** The value of a row. */
  at(row: number): number {
    return this.#column ? this.#column.values[row] : this.absent;
  }
}
