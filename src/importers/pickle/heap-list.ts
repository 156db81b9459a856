import {GrowingColumn} from './growing-column.js';
import type {HeldMemory} from './held-memory.js';

/** Tags from here on denote rows: this plus the kind. The value is the row. */
const rowTag = 16;

/** A list of a pickle. Consecutive rows of one kind, such as events, take no memory each. */
export class HeapList {
  length = 0;
  #kind = -1;
  #first = 0;
  #items: {readonly tags: GrowingColumn<Uint8Array>; readonly values: GrowingColumn<Float64Array>} | null = null;

  constructor(private readonly held: HeldMemory) {}

  /** Adds the row of a kind. */
  pushRow(kind: number, row: number): void {
    if (this.length === 0) [this.#kind, this.#first] = [kind, row];
    if (!this.#items && kind === this.#kind && row === this.#first + this.length) this.length++;
    else this.push(rowTag + kind, row);
  }

  /** Adds any other value. */
  push(valueTag: number, value: number): void {
    const {tags, values} = (this.#items ??= this.#spelledOut());
    tags.push(valueTag);
    values.push(value);
    this.length++;
  }

  /** Returns an item's row if it is one of this kind, else -1. */
  rowAt(kind: number, i: number): number {
    if (!this.#items) return kind === this.#kind ? this.#first + i : -1;
    return this.#items.tags.values[i] === rowTag + kind ? this.#items.values.values[i] : -1;
  }

  /** Returns an item that is not a row. */
  itemAt(i: number): {tag: number; value: number} | null {
    return this.#items && {tag: this.#items.tags.values[i], value: this.#items.values.values[i]};
  }

  /** Returns the first row if all items are consecutive rows of this kind, else -1. */
  firstOfRun(kind: number): number {
    return !this.#items && kind === this.#kind ? this.#first : -1;
  }

  #spelledOut(): {tags: GrowingColumn<Uint8Array>; values: GrowingColumn<Float64Array>} {
    const tags = new GrowingColumn(new Uint8Array(8), this.held);
    const values = new GrowingColumn(new Float64Array(8), this.held);
    for (let i = 0; i < this.length; i++) {
      tags.push(rowTag + this.#kind);
      values.push(this.#first + i);
    }
    return {tags, values};
  }
}
