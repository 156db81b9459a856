const leastSlots = 64;
/** Pairs are looked up in an array if at most this many are possible. */
const mostInArray = 1 << 20;

/**
 * Maps pairs of whole numbers to numbers: a hash table of plain columns, for loops over millions of rows.
 *
 * The first of a pair is at least -1, the second and the value at least 0; all are below 2^31 - 1. If the number of
 * each is known, both are at least 0, and a small table uses an array instead of hashing.
 */
export class PairIndex {
  #slots = leastSlots;
  #length = 0;
  #first = new Int32Array(leastSlots);
  #second = new Int32Array(leastSlots);
  /** Value + 1, so that 0 marks an empty slot. */
  #value = new Int32Array(leastSlots);

  /** Values of all pairs; null if there may be too many. */
  readonly #array: Int32Array | null;

  /** @param firsts the number of possible first members, from 0 */
  constructor(
    firsts = Infinity,
    private readonly seconds = Infinity,
  ) {
    this.#array = firsts * seconds <= mostInArray ? new Int32Array(firsts * seconds).fill(-1) : null;
  }

  get length(): number {
    return this.#length;
  }

  /** Returns the value of a pair; -1 if it has none. */
  get(first: number, second: number): number {
    if (this.#array !== null) return this.#array[first * this.seconds + second];
    return this.#value[this.#slotOf(first, second)] - 1;
  }

  set(first: number, second: number, value: number): void {
    if (this.#array !== null) {
      const at = first * this.seconds + second;
      if (this.#array[at] < 0) this.#length++;
      this.#array[at] = value;
      return;
    }
    const slot = this.#slotOf(first, second);
    const isNew = this.#value[slot] === 0;
    this.#first[slot] = first;
    this.#second[slot] = second;
    this.#value[slot] = value + 1;
    if (isNew && ++this.#length * 2 > this.#slots) this.#grow();
  }

  /** Returns the slot of a pair, existing or free. Probes linearly; at least half of the slots are empty. */
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
