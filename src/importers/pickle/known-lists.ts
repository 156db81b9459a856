import {GrowingColumn} from './growing-column.js';
import {hashSeed} from './hash-seed.js';
import type {HeldMemory} from './held-memory.js';
import {tag} from './pickle-value.js';

/** Frame lists already read, by their dictionaries, so that a repeated list is converted only once. */
export class KnownLists {
  readonly #dictionaries: GrowingColumn<Int32Array>;
  readonly #starts: GrowingColumn<Int32Array>;
  readonly #stacks: GrowingColumn<Int32Array>;
  /** Lists by the hash of their dictionaries, plus 1; 0 is free. */
  #slots = new Int32Array(1 << 10);

  constructor(private readonly held: HeldMemory) {
    this.#dictionaries = new GrowingColumn(new Int32Array(1 << 10), held);
    this.#starts = new GrowingColumn(new Int32Array(1 << 8), held);
    this.#stacks = new GrowingColumn(new Int32Array(1 << 8), held);
    this.#starts.push(0);
  }

  /** Returns the stack of a list of dictionaries in `[from, to)`; -1 if the list is new. */
  stackOf(tags: Uint8Array, values: Float64Array, from: number, to: number): number {
    for (let i = from; i < to; i++) if (tags[i] !== tag.dictionary) return -1;
    const list = this.#slots[this.#slotOf(values, from, to)];
    return list === 0 ? -1 : this.#stacks.values[list - 1];
  }

  /** Stores the stack of a list that `stackOf` did not know. */
  keep(values: Float64Array, from: number, to: number, stack: number): void {
    const slot = this.#slotOf(values, from, to);
    for (let i = from; i < to; i++) this.#dictionaries.push(values[i]);
    this.#starts.push(this.#dictionaries.length);
    const list = this.#stacks.push(stack);
    this.#slots[slot] = list + 1;
    if (2 * list > this.#slots.length) this.#rehash();
  }

  /** Returns the slot of an equal list, or the free slot for it. */
  #slotOf(values: Float64Array, from: number, to: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(values, from, to) & mask;
    for (let list = this.#slots[slot]; list !== 0; list = this.#slots[slot]) {
      if (this.#isEqual(list - 1, values, from, to)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #isEqual(list: number, values: Float64Array, from: number, to: number): boolean {
    const start = this.#starts.values[list];
    if (this.#starts.values[list + 1] - start !== to - from) return false;
    const dictionaries = this.#dictionaries.values;
    for (let i = from; i < to; i++) if (dictionaries[start + i - from] !== values[i]) return false;
    return true;
  }

  #rehash(): void {
    this.held.take(this.#slots.length * Int32Array.BYTES_PER_ELEMENT);
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    const starts = this.#starts.values;
    for (let list = 0; list < this.#stacks.length; list++) {
      let slot = hashOf(this.#dictionaries.values, starts[list], starts[list + 1]) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = list + 1;
    }
    this.#slots = slots;
  }
}

function hashOf(values: Float64Array | Int32Array, from: number, to: number): number {
  let mixed = hashSeed;
  for (let i = from; i < to; i++) {
    mixed = Math.imul(mixed ^ values[i], 0x9e3779b1);
    mixed ^= mixed >>> 15;
  }
  return mixed;
}
