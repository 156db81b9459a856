import {groupRows, mostOf} from './group-rows.js';
import {release, type WholeColumn} from './table.js';

/** Each possible key gets a slot if there are at most this many possible keys per key. */
const mostSlotsPerKey = 2;
/** Each possible key gets a bit if there are at most this many bits per key. */
const mostBitsPerKey = 256;
/** Bits are numbered with 32-bit integers. */
const mostBits = 2 ** 31;

/**
 * The rows of a table by key: rows `rows[offsets[slot]] … rows[offsets[slot + 1] - 1]`, ascending, for a key's slot.
 * Keys are whole numbers, -1 if a row has none. If there are groups (processes), a key is looked up within its group.
 */
export class KeyedRows {
  readonly rows: Uint32Array;
  readonly offsets: Uint32Array;
  readonly #slots: Slots;

  /** @param group group of each row, from 0; null if there is only one */
  constructor(key: WholeColumn, group: WholeColumn | null = null) {
    const groups = group === null ? 1 : Math.max(1, mostOf(group) + 1);
    const groupOf = groups === 1 ? null : group;
    this.#slots = slotsFor(key, groupOf, groups);
    const slotOf = this.#slots.ofRows(key, groupOf);
    ({rows: this.rows, offsets: this.offsets} = groupRows(slotOf, this.#slots.length));
    release(slotOf);
  }

  /** Returns the slot of a key in `offsets`; -1 if no row has the key. */
  slot(key: number, group = 0): number {
    const slot = key === -1 ? -1 : this.#slots.slot(key, group);
    return slot >= 0 && this.offsets[slot + 1] > this.offsets[slot] ? slot : -1;
  }

  /** Releases its memory. It must not be used afterwards. */
  release(): void {
    release(this.rows, this.offsets);
    this.#slots.release();
  }
}

// Loops are in their own functions for V8; see group-rows.ts.

function slotsFor(key: WholeColumn, group: WholeColumn | null, groups: number): Slots {
  const least = new Float64Array(groups).fill(Infinity);
  const most = new Float64Array(groups).fill(-Infinity);
  findExtents(key, group, least, most);
  const base = new Float64Array(groups);
  let bits = 0;
  for (let at = 0; at < groups; at++) {
    base[at] = bits;
    // Files may have fractions instead of whole numbers; a fraction shares the slot of the number below.
    if (most[at] >= least[at]) bits += Math.floor(most[at] - least[at]) + 1;
  }
  const ranges = {least, most, base, bits};
  if (bits <= mostSlotsPerKey * key.length) return new NumberedSlots(ranges);
  if (bits > Math.min(mostBits, mostBitsPerKey * key.length + 65_536)) return new HashedSlots(key, group);
  return new RankedSlots(key, group, ranges);
}

function findExtents(key: WholeColumn, group: WholeColumn | null, least: Float64Array, most: Float64Array): void {
  for (let row = 0; row < key.length; row++) {
    const value = key[row];
    if (value === -1) continue;
    const at = group === null ? 0 : group[row];
    if (value < least[at]) least[at] = value;
    if (value > most[at]) most[at] = value;
  }
}

interface KeyRanges {
  /** By group: the least and the greatest key, and how many numbers the previous groups span. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  readonly base: Float64Array;
  /** How many numbers all groups span. */
  readonly bits: number;
}

// The least key is subtracted first: a sum with an id above 2^53 would be rounded.

/** Maps keys to slots. */
interface Slots {
  /** The number of slots. */
  readonly length: number;
  /** Returns the slot of a key; -1 for a key that cannot have one. */
  slot(key: number, group: number): number;
  /** Returns each row's slot, -1 if it has no key. */
  ofRows(key: WholeColumn, group: WholeColumn | null): Int32Array;
  release(): void;
}

/** For consecutive ids: each number from the least to the greatest has a slot, even without a row. */
class NumberedSlots implements Slots {
  readonly length: number;

  constructor(private readonly ranges: KeyRanges) {
    this.length = ranges.bits;
  }

  slot(key: number, group: number): number {
    const {least, most, base} = this.ranges;
    // For an unknown group, comparing with undefined is always false.
    return key >= least[group] && key <= most[group] ? base[group] + Math.floor(key - least[group]) : -1;
  }

  ofRows(key: WholeColumn, group: WholeColumn | null): Int32Array {
    return numberRows(key, group, this.ranges);
  }

  release(): void {
    // Nothing to release.
  }
}

/** Sets a bit for each number that is a key. A key's slot is the number of bits before it. */
class RankedSlots implements Slots {
  readonly length: number;
  readonly #ranges: KeyRanges;
  readonly #words: Uint32Array;
  /** Word → number of bits before it. */
  readonly #before: Uint32Array;

  constructor(key: WholeColumn, group: WholeColumn | null, ranges: KeyRanges) {
    this.#ranges = ranges;
    this.#words = new Uint32Array((ranges.bits >>> 5) + 1);
    setBits(key, group, ranges, this.#words);
    this.#before = new Uint32Array(this.#words.length + 1);
    countBits(this.#words, this.#before);
    this.length = this.#before[this.#words.length];
  }

  slot(key: number, group: number): number {
    const {least, most, base} = this.#ranges;
    // For an unknown group, comparing with undefined is always false.
    if (!(key >= least[group] && key <= most[group])) return -1;
    const bit = base[group] + (key - least[group]);
    const word = this.#words[bit >>> 5];
    const mask = 1 << (bit & 31);
    return (word & mask) === 0 ? -1 : this.#before[bit >>> 5] + bitCount(word & (mask - 1));
  }

  ofRows(key: WholeColumn, group: WholeColumn | null): Int32Array {
    return rankRows(key, group, this.#ranges, this.#words, this.#before);
  }

  release(): void {
    release(this.#words, this.#before);
  }
}

function setBits(key: WholeColumn, group: WholeColumn | null, {least, base}: KeyRanges, words: Uint32Array): void {
  for (let row = 0; row < key.length; row++) {
    if (!hasKey(key[row])) continue;
    const at = group === null ? 0 : group[row];
    const bit = base[at] + (key[row] - least[at]);
    words[bit >>> 5] |= 1 << (bit & 31);
  }
}

/** Returns each row's number, which is its slot. */
function numberRows(key: WholeColumn, group: WholeColumn | null, {least, base}: KeyRanges): Int32Array {
  const slotOf = new Int32Array(key.length);
  for (let row = 0; row < key.length; row++) {
    const at = group === null ? 0 : group[row];
    slotOf[row] = hasKey(key[row]) ? base[at] + (key[row] - least[at]) : -1;
  }
  return slotOf;
}

/** Returns each row's slot, from the bits that were set for all rows. */
function rankRows(
  key: WholeColumn,
  group: WholeColumn | null,
  {least, base}: KeyRanges,
  words: Uint32Array,
  before: Uint32Array,
): Int32Array {
  const slotOf = new Int32Array(key.length);
  for (let row = 0; row < key.length; row++) {
    const at = group === null ? 0 : group[row];
    const bit = base[at] + (key[row] - least[at]);
    const below = (1 << (bit & 31)) - 1;
    slotOf[row] = hasKey(key[row]) ? before[bit >>> 5] + bitCount(words[bit >>> 5] & below) : -1;
  }
  return slotOf;
}

/** Returns whether the key is present; NaN is not a key. */
function hasKey(key: number): boolean {
  return key !== -1 && key <= Infinity;
}

/** Counts the bits before each word. */
function countBits(words: Uint32Array, before: Uint32Array): void {
  for (let word = 0; word < words.length; word++) before[word + 1] = before[word] + bitCount(words[word]);
}

/** @see Hacker's Delight, section 5-1 */
function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** For sparse keys: handles, and ids that are hashes. */
class HashedSlots implements Slots {
  length = 0;
  readonly #byGroup = new Map<number, Map<number, number>>();

  constructor(key: WholeColumn, group: WholeColumn | null) {
    for (let row = 0; row < key.length; row++) {
      if (key[row] === -1) continue;
      const number = group === null ? 0 : group[row];
      let slots = this.#byGroup.get(number);
      if (!slots) this.#byGroup.set(number, (slots = new Map<number, number>()));
      if (!slots.has(key[row])) slots.set(key[row], this.length++);
    }
  }

  slot(key: number, group: number): number {
    return this.#byGroup.get(group)?.get(key) ?? -1;
  }

  ofRows(key: WholeColumn, group: WholeColumn | null): Int32Array {
    const slotOf = new Int32Array(key.length);
    for (let row = 0; row < key.length; row++) {
      slotOf[row] = hasKey(key[row]) ? this.slot(key[row], group === null ? 0 : group[row]) : -1;
    }
    return slotOf;
  }

  release(): void {
    this.#byGroup.clear();
  }
}
