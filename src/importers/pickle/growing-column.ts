import type {HeldMemory} from './held-memory.js';

/** The array types of a column. */
export type Numbers = Uint8Array | Int32Array | Float64Array;

/** A column that grows at its end; `values` is replaced when it does. */
export class GrowingColumn<Values extends Numbers> {
  length = 0;

  constructor(
    public values: Values,
    private readonly held: HeldMemory,
  ) {}

  /** Adds a value; returns its index. */
  push(value: number): number {
    if (this.length === this.values.length) this.grow(this.length + 1);
    this.values[this.length] = value;
    return this.length++;
  }

  set(row: number, value: number): void {
    this.values[row] = value;
  }

  /** Makes room for `length` values. */
  grow(length: number): void {
    if (length <= this.values.length) return;
    const room = Math.max(length, this.held.nextLength(this.values.length, this.values.BYTES_PER_ELEMENT));
    this.held.take((room - this.values.length) * this.values.BYTES_PER_ELEMENT);
    const grown = new (this.values.constructor as new (length: number) => Values)(room);
    grown.set(this.values);
    this.values = grown;
  }

  /** Returns the values in it, without a copy. */
  filled(): Values {
    return this.values.subarray(0, this.length) as Values;
  }
}
