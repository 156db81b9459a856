import type {MemoryStacks} from '../../core/memory-snapshot/memory-snapshot.js';
import {GrowingColumn} from './growing-column.js';
import {hashSeed} from './hash-seed.js';
import type {HeldMemory} from './held-memory.js';

const bytesPerSlot = 4;

/** Distinct stacks as a tree: a frame added to a stack gives the row of the longer stack. */
export class StackTree {
  readonly #parent: GrowingColumn<Int32Array>;
  readonly #frame: GrowingColumn<Int32Array>;
  /** Rows by the hash of parent and frame, plus 1; 0 is free. */
  #slots = new Int32Array(1 << 12);

  constructor(private readonly held: HeldMemory) {
    this.#parent = new GrowingColumn(new Int32Array(1 << 11), held);
    this.#frame = new GrowingColumn(new Int32Array(1 << 11), held);
  }

  /** Returns the stack with the frames of `parent` (-1: none) and then `frame`, which called them. */
  add(parent: number, frame: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const parents = this.#parent.values;
    const frames = this.#frame.values;
    let slot = hash(parent, frame) & mask;
    for (let row = slots[slot]; row !== 0; row = slots[slot]) {
      if (parents[row - 1] === parent && frames[row - 1] === frame) return row - 1;
      slot = (slot + 1) & mask;
    }
    this.#parent.push(parent);
    const row = this.#frame.push(frame);
    slots[slot] = row + 1;
    if (2 * row > slots.length) this.#rehash();
    return row;
  }

  finish(): MemoryStacks {
    return {length: this.#parent.length, parent: this.#parent.filled(), frame: this.#frame.filled()};
  }

  #rehash(): void {
    this.held.take(this.#slots.length * bytesPerSlot);
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let row = 0; row < this.#parent.length; row++) {
      let slot = hash(this.#parent.values[row], this.#frame.values[row]) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = row + 1;
    }
    this.#slots = slots;
  }
}

function hash(parent: number, frame: number): number {
  let mixed = hashSeed ^ Math.imul(parent + 1, 0x9e3779b1) ^ Math.imul(frame + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}
