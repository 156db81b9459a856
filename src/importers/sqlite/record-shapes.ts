import {NotPlain} from './not-plain.js';
import type {ColumnUse, PlannedColumn} from './record-plan.js';

/** How to read a value from a record: by its serial type (0 to 9); numbers in two parts are at 16 and up. */
export const halvesStep = 16;
export const textStep = 32;
export const emptyStep = 33;
export const rowidStep = 34;
export const defaultStep = 35;

/** Bytes of a value by serial types below 12; 10 and 11 are reserved, and point beyond any record. */
const valueBytes = Int32Array.of(0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 2 ** 30, 2 ** 30);
const realType = 7;
const firstTextType = 12;

/** nsys writes no longer record. */
export const longestRecordBytes = 16 << 20;
/** Number of cached shapes; shape 0 is that of an uncached header. */
const keptShapes = 256;
const mostWords = 16;
/** A header may be read this far beyond a record's beginning, whatever the bytes there are. */
export const slackBytes = 4 * mostWords;

/**
 * Finds the wanted values in records.
 *
 * A record begins with the types of its values, which determine all offsets. Types hardly change from row to row, so
 * the offsets are computed once for each distinct header, and looked up by the header's bytes.
 *
 *     header 07 05 05 08 06 03 01     step    5  5  8  22  3    (start, end, eventClass, globalTid, correlationId)
 *                                     offset  7 13 19  19 27    from the begin of the record
 *
 * @see https://www.sqlite.org/fileformat2.html#record_format
 */
export class RecordShapes {
  /** One row for each shape, one number for each planned column: what to do, and where. */
  readonly steps: Uint8Array;
  readonly offsets: Int32Array;
  /** Bytes of a text. */
  readonly sizes: Int32Array;
  /** The least and most bytes of a record of the shape: the exact size is known if no other types follow. */
  readonly #least = new Int32Array(keptShapes + 1);
  readonly #most = new Int32Array(keptShapes + 1);
  readonly #columnCount: number;
  /**
   * The number of words of four bytes that hold the header up to the last wanted type; 0 if headers are too long to be
   * cached.
   */
  readonly #words: number;
  readonly #keys: Int32Array;
  readonly #lastMask: number;
  #lastShape = 0;

  constructor(readonly plan: readonly PlannedColumn[]) {
    this.#columnCount = (plan.at(-1)?.column ?? -1) + 1;
    const keyBytes = this.#columnCount + 1;
    this.#words = keyBytes <= slackBytes ? Math.ceil(keyBytes / 4) : 0;
    this.#lastMask = -1 << (8 * (4 * this.#words - keyBytes));
    // No cached header begins with a byte of 255.
    this.#keys = new Int32Array((keptShapes + 1) * this.#words).fill(-1);
    this.steps = new Uint8Array((keptShapes + 1) * plan.length);
    this.offsets = new Int32Array(this.steps.length);
    this.sizes = new Int32Array(this.steps.length);
  }

  /**
   * Returns the shape of the record `[start…end)`.
   *
   * @throws NotPlain if a value does not have its column's type, or the record is longer than allowed
   */
  find(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    let shape = this.#lastShape;
    if (!this.#hasKey(shape, view, start)) {
      shape = this.#slotOf(view, start);
      if (!this.#hasKey(shape, view, start)) shape = this.#add(bytes, view, start, shape);
      this.#lastShape = shape;
    }
    const bytesOfRecord = end - start;
    if (bytesOfRecord < this.#least[shape] || bytesOfRecord > this.#most[shape]) {
      throw new NotPlain('a record of another length than its types say');
    }
    return shape;
  }

  #hasKey(shape: number, view: DataView, start: number): boolean {
    const last = this.#words - 1;
    const key = shape * this.#words;
    for (let i = 0; i < last; i++) if (this.#keys[key + i] !== view.getInt32(start + 4 * i)) return false;
    return shape > 0 && this.#keys[key + last] === (view.getInt32(start + 4 * last) & this.#lastMask);
  }

  /** Returns the slot of cached shapes, from 1, for a header's bytes. */
  #slotOf(view: DataView, start: number): number {
    const last = this.#words - 1;
    let hash = view.getInt32(start + 4 * last) & this.#lastMask;
    for (let i = 0; i < last; i++) hash = Math.imul(hash ^ view.getInt32(start + 4 * i), 0x9e3779b1) ^ (hash >>> 15);
    return 1 + (Math.imul(hash, 0x9e3779b1) >>> 24);
  }

  #add(bytes: Uint8Array, view: DataView, start: number, slot: number): number {
    if (!this.#isKeepable(bytes, start)) return this.#workOut(bytes, start, 0);
    const last = this.#words - 1;
    const key = slot * this.#words;
    for (let i = 0; i <= last; i++) this.#keys[key + i] = view.getInt32(start + 4 * i);
    this.#keys[key + last] &= this.#lastMask;
    return this.#workOut(bytes, start, slot);
  }

  /** Returns whether the header's first bytes are the types of the wanted columns, one byte each. */
  #isKeepable(bytes: Uint8Array, start: number): boolean {
    if (this.#words === 0 || bytes[start] <= this.#columnCount) return false;
    for (let at = start; at <= start + this.#columnCount; at++) if (bytes[at] > 127) return false;
    return true;
  }

  /** Reads a header, and stores the offsets of the wanted columns. */
  #workOut(bytes: Uint8Array, start: number, shape: number): number {
    const headerEnd = start + headerBytes(bytes, start);
    let at = start + (bytes[start] > 127 ? 2 : 1);
    let value = headerEnd;
    let wanted = 0;
    for (let column = 0; column < this.#columnCount && at < headerEnd; column++) {
      const length = typeBytes(bytes, at);
      const type = typeOf(bytes, at, length);
      at += length;
      const size = type < firstTextType ? valueBytes[type] : (type - firstTextType) >> 1;
      if (this.plan[wanted].column === column) {
        const place = shape * this.plan.length + wanted;
        this.steps[place] = stepOf(this.plan[wanted++].use, type);
        this.offsets[place] = value - start;
        this.sizes[place] = size;
      }
      value += size;
    }
    if (at > headerEnd) throw new NotPlain('types that go on behind the header');
    for (; wanted < this.plan.length; wanted++) {
      this.steps[shape * this.plan.length + wanted] = this.plan[wanted].use === 'rowid' ? rowidStep : defaultStep;
    }
    this.#least[shape] = value - start;
    this.#most[shape] = at === headerEnd ? value - start : longestRecordBytes;
    return shape;
  }
}

/** One byte or two: more would be the types of thousands of columns. */
function headerBytes(bytes: Uint8Array, start: number): number {
  if (bytes[start] < 128) return bytes[start];
  if (bytes[start + 1] > 127) throw new NotPlain('a record of thousands of columns');
  return ((bytes[start] & 127) << 7) | bytes[start + 1];
}

/** Returns the number of bytes of a type's varint. */
function typeBytes(bytes: Uint8Array, at: number): number {
  for (let length = 1; length <= 4; length++) if (bytes[at + length - 1] < 128) return length;
  throw new NotPlain('a value of many megabytes');
}

function typeOf(bytes: Uint8Array, at: number, length: number): number {
  let type = 0;
  for (let i = 0; i < length; i++) type = (type << 7) | (bytes[at + i] & 127);
  return type;
}

function stepOf(use: ColumnUse, type: number): number {
  switch (use) {
    case 'rowid':
      return rowidStep;
    case 'text':
      // Texts have odd types; a value that is not a text names nothing.
      return type > firstTextType && (type & 1) === 1 ? textStep : emptyStep;
    case 'integer':
    case 'halves':
      if (type === realType || type >= firstTextType) throw new NotPlain('a value that is not an integer');
      return use === 'halves' ? halvesStep + type : type;
  }
}
