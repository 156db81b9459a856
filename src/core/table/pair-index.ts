const leastSlots = 64;

/**
 * Numbers by pairs of whole numbers: a hash table of plain columns, for loops over millions of rows.
 *
 * The first of a pair is from -1, the second and the value are from 0; all are below 2^31 - 1.
 */
export class PairIndex {
  #slots = leastSlots;
  #length = 0;
  #first = new Int32Array(leastSlots);
  #second = new Int32Array(leastSlots);
  /** Value + 1, so that 0 is an empty slot. */
  #value = new Int32Array(leastSlots);

  get length(): number {
    return this.#length;
  }

  /** The value of a pair, -1 where it has none. */
  get(first: number, second: number): number {
    return this.#value[this.#slotOf(first, second)] - 1;
  }

  set(first: number, second: number, value: number): void {
    const slot = this.#slotOf(first, second);
    const isNew = this.#value[slot] === 0;
    this.#first[slot] = first;
    this.#second[slot] = second;
    this.#value[slot] = value + 1;
    if (isNew && ++this.#length * 2 > this.#slots) this.#grow();
  }

  /** Where a pair stands or would: slots behind a full one are tried in turn, and half of them are empty. */
  #slotOf(first: number, second: number): number {
    const mask = this.#slots - 1;
    let hash = Math.imul(first + 1, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
    let slot = (hash ^ (hash >>> 13)) & mask;
    while (this.#value[slot] !== 0 && (this.#first[slot] !== first || this.#second[slot] !== second)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const [first, second, value] = [this.#first, this.#second, this.#value];
    this.#slots *= 2;
    this.#length = 0;
    this.#first = new Int32Array(this.#slots);
    this.#second = new Int32Array(this.#slots);
    this.#value = new Int32Array(this.#slots);
    for (let slot = 0; slot < value.length; slot++) {
      if (value[slot] !== 0) this.set(first[slot], second[slot], value[slot] - 1);
    }
  }
}
