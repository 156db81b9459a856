import {TraceError} from '../../core/base/errors.js';
import {say} from '../../core/base/say.js';
import {GrowingColumn} from './growing-column.js';
import type {HeldMemory} from './held-memory.js';
import {damagedPickle} from './pickle-error.js';
import {tag} from './pickle-value.js';
import type {SnapshotHeap, TaggedValue} from './snapshot-heap.js';

/** The most marks that may be open at once; a snapshot has about ten. */
const deepestMarks = 1000;
/** A memo is filled from its beginning, so a number far beyond its end is invalid. */
const memoLeapMost = 1 << 16;
const bytesPerLongValue = 64;
/** The lowest bits of a value in the memo are its tag. */
const tagBits = 3;
const tagMask = (1 << tagBits) - 1;
const mostPacked = 2 ** (32 - tagBits) - 1;
/** Marks a value of the memo that is in `#longMemo`: no packed value has the tag `unset`. */
const isLong = 1 << tagBits;

/** The stack, the marks and the memo of a pickle being read, and the opcodes' effects on them. */
export class PickleMachine {
  #tags: Uint8Array = new Uint8Array(1024);
  #values: Float64Array = new Float64Array(1024);
  #top = 0;
  readonly #marks: number[] = [];
  /** By number a value and its tag in 32 bits, or `isLong`. */
  readonly #memo: GrowingColumn<Int32Array>;
  /** Values that do not fit into the memo: large numbers, which writers do not put there. */
  readonly #longMemo = new Map<number, TaggedValue>();

  constructor(
    readonly heap: SnapshotHeap,
    private readonly held: HeldMemory,
  ) {
    this.#memo = new GrowingColumn(new Int32Array(1024), held);
  }

  push(valueTag: number, value: number): void {
    if (this.#top === this.#tags.length) this.#growStack();
    this.#tags[this.#top] = valueTag;
    this.#values[this.#top++] = value;
  }

  mark(): void {
    if (this.#marks.length === deepestMarks) {
      throw new TraceError('import/too-large', say('The pickle is nested deeper than {0} levels.', deepestMarks));
    }
    this.#marks.push(this.#top);
  }

  /** Puts the value at the top of the stack into the memo, as its next value. */
  memoizeNext(): void {
    const top = this.#needed(1);
    const packed = packedOf(this.#tags[top], this.#values[top]);
    const index = this.#memo.push(packed);
    if (packed === isLong) this.#keepLong(index, top);
  }

  /** Puts the value at the top of the stack into the memo. */
  memoize(index: number): void {
    const top = this.#needed(1);
    if (index > this.#memo.length + memoLeapMost) throw damagedPickle(say('its memo has a number out of order'));
    while (this.#memo.length <= index) this.#memo.push(tag.unset);
    const packed = packedOf(this.#tags[top], this.#values[top]);
    this.#memo.values[index] = packed;
    if (packed === isLong) this.#keepLong(index, top);
  }

  /** Pushes a value of the memo. */
  recall(index: number): void {
    const packed = index < this.#memo.length ? this.#memo.values[index] : tag.unset;
    if (packed === tag.unset) throw damagedPickle(say('it refers to a value that it does not contain'));
    if (packed === isLong) this.#recallLong(index);
    else this.push(packed & tagMask, packed >>> tagBits);
  }

  #keepLong(index: number, top: number): void {
    this.held.take(bytesPerLongValue);
    this.#longMemo.set(index, {tag: this.#tags[top], value: this.#values[top]});
  }

  #recallLong(index: number): void {
    const long = this.#longMemo.get(index);
    if (long) this.push(long.tag, long.value);
  }

  pop(): void {
    // Python's own reader also pops a mark if it is at the top.
    if (this.#marks.at(-1) === this.#top) this.#marks.pop();
    else this.#top = this.#needed(1);
  }

  popMark(): void {
    this.#top = this.#closeMark();
  }

  duplicate(): void {
    const top = this.#needed(1);
    this.push(this.#tags[top], this.#values[top]);
  }

  setItem(): void {
    const from = this.#needed(3) + 1;
    this.#setItems(from, from - 1);
  }

  setItems(): void {
    const from = this.#closeMark();
    this.#setItems(from, this.#below(from));
  }

  append(): void {
    const from = this.#needed(2) + 1;
    this.#append(from, from - 1);
  }

  appendItems(): void {
    const from = this.#closeMark();
    this.#append(from, this.#below(from));
  }

  /** Replaces the values above the mark with a new list or dictionary. */
  collect(what: 'list' | 'dictionary' | 'other'): void {
    const from = this.#closeMark();
    const to = this.#top;
    if (what === 'other') {
      this.#top = from;
      this.push(tag.other, 0);
      return;
    }
    const made = what === 'list' ? this.heap.addList() : this.heap.addDictionary();
    if (what === 'list') this.heap.append(made, this.#tags, this.#values, from, to);
    else this.#fill(made, from, to);
    this.#top = from;
    this.push(what === 'list' ? tag.list : tag.dictionary, made);
  }

  /** Makes a tuple of the last values; a snapshot needs none of its items. */
  tuple(count: number): void {
    if (count > 0) this.#top = this.#needed(count);
    this.push(tag.other, 0);
  }

  /** Drops items added to a set, which a snapshot does not contain. */
  dropItems(): void {
    this.#top = this.#closeMark();
    this.#needed(1);
  }

  /** Returns the value of the whole pickle. */
  result(): TaggedValue {
    const top = this.#needed(1);
    return {tag: this.#tags[top], value: this.#values[top]};
  }

  #setItems(from: number, dictionary: number): void {
    if (this.#tags[dictionary] !== tag.dictionary)
      throw damagedPickle(say('it puts keys into something that is not a dictionary'));
    this.#fill(this.#values[dictionary], from, this.#top);
    this.#top = from;
  }

  #fill(dictionary: number, from: number, to: number): void {
    if ((to - from) % 2 !== 0) throw damagedPickle(say('a key has no value'));
    this.heap.setItems(dictionary, this.#tags, this.#values, from, to);
  }

  #append(from: number, list: number): void {
    // Lists in other containers than lists (deque, array) would need a class.
    if (this.#tags[list] !== tag.list) throw damagedPickle(say('it puts items into something that is not a list'));
    this.heap.append(this.#values[list], this.#tags, this.#values, from, this.#top);
    this.#top = from;
  }

  /** Returns where the top `count` values of the stack begin, above the last mark. */
  #needed(count: number): number {
    const from = this.#top - count;
    if (from < (this.#marks.at(-1) ?? 0)) throw damagedPickle(say('it takes a value from an empty stack'));
    return from;
  }

  #closeMark(): number {
    const mark = this.#marks.pop();
    if (mark === undefined) throw damagedPickle(say('it ends a group that it has not begun'));
    return mark;
  }

  #below(from: number): number {
    if (from - 1 < (this.#marks.at(-1) ?? 0)) throw damagedPickle(say('it takes a value from an empty stack'));
    return from - 1;
  }

  #growStack(): void {
    const room = this.#tags.length * 2;
    this.held.take((room - this.#tags.length) * 9);
    const tags = new Uint8Array(room);
    const values = new Float64Array(room);
    tags.set(this.#tags);
    values.set(this.#values);
    this.#tags = tags;
    this.#values = values;
  }
}

/** Packs a value and its tag into 32 bits; `isLong` if it does not fit. */
function packedOf(valueTag: number, value: number): number {
  return value >= 0 && value <= mostPacked && Number.isInteger(value) && !Object.is(value, -0)
    ? (value << tagBits) | valueTag
    : isLong;
}
