import {NotPlain} from './not-plain.js';
import {action, type RecordPlan} from './record-plan.js';
import type {TextInterner} from './text-interner.js';

/** Bytes of a value by serial type below 12; 10 and 11 are reserved, and lead beyond any record. */
const valueBytes = Int32Array.of(0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 2 ** 30, 2 ** 30);
const firstTextType = 12;
const two32 = 2 ** 32;

/**
 * Takes wanted columns out of records.
 *
 *     ┌ bytes of the header ┬ type, type, … ┬ value, value, … ┐
 *
 * The loops allocate nothing, and write to one block of numbers. Positions are held against the record's end before the
 * row counts; what was read beyond it until then is of the same array, or nothing.
 *
 * @see https://www.sqlite.org/fileformat2.html#record_format
 */
export class RecordDecoder {
  constructor(
    readonly plan: RecordPlan,
    readonly values: Float64Array,
    readonly texts: TextInterner,
  ) {}

  /**
   * Decodes the record `bytes[start…end)` as row `row` of the batch.
   *
   * @throws NotPlain where a value is not what its column is for
   */
  decode(bytes: Uint8Array, start: number, end: number, row: number, rowid: number): void {
    const {actions, columnCount, first} = this.plan;
    const {values} = this;
    let type = start;
    let headerEnd = bytes[type++];
    if (headerEnd > 127) headerEnd = twoBytes(headerEnd, bytes[type++]);
    headerEnd += start;
    let value = headerEnd;
    for (let column = 0; column < columnCount; column++) {
      if (type >= headerEnd) {
        this.#fillShort(column, row, rowid);
        break;
      }
      let byte = bytes[type++];
      let serial = byte & 127;
      while (byte > 127) {
        if (serial >= 1 << 20) throw new NotPlain('a value of many megabytes');
        byte = bytes[type++];
        serial = (serial << 7) | (byte & 127);
      }
      const wanted = actions[column];
      if (wanted === action.integer) putInteger(values, first[column] + row, bytes, value, serial);
      else if (wanted !== action.skip) this.#putOther(bytes, value, serial, column, row, rowid);
      value += serial < firstTextType ? valueBytes[serial] : (serial - firstTextType) >> 1;
    }
    if (type > headerEnd || value > end) throw new NotPlain('a record that is longer than its cell');
  }

  #putOther(bytes: Uint8Array, at: number, serial: number, column: number, row: number, rowid: number): void {
    const {actions, first, second} = this.plan;
    const target = first[column] + row;
    if (actions[column] === action.rowid) this.values[target] = rowid;
    else if (actions[column] === action.halves) putHalves(this.values, target, second[column] + row, bytes, at, serial);
    else this.values[target] = this.#text(bytes, at, serial);
  }

  /** Texts have odd types; all else is no name. */
  #text(bytes: Uint8Array, at: number, serial: number): number {
    if (serial <= firstTextType || (serial & 1) === 0) return 0;
    const end = at + ((serial - firstTextType) >> 1);
    if (end > bytes.length) throw new NotPlain('a text that is longer than its cell');
    return this.texts.index(bytes, at, end);
  }

  /** Columns from `column` on were added after the row had been written. */
  #fillShort(column: number, row: number, rowid: number): void {
    const {actions, first, second, otherwise, columnCount} = this.plan;
    for (let at = column; at < columnCount; at++) {
      if (actions[at] === action.skip) continue;
      this.values[second[at] + row] = otherwise[at];
      this.values[first[at] + row] = actions[at] === action.rowid ? rowid : otherwise[at];
    }
  }
}

function twoBytes(high: number, low: number): number {
  if (!(low <= 127)) throw new NotPlain('a record of thousands of columns');
  return ((high & 127) << 7) | low;
}

/** Writes an integer of any width, NaN for null. Beyond 2^53 it is the nearest double, as SQLite's binding gives it. */
function putInteger(values: Float64Array, target: number, bytes: Uint8Array, at: number, serial: number): void {
  switch (serial) {
    case 0:
      values[target] = NaN;
      return;
    case 1:
      values[target] = (bytes[at] << 24) >> 24;
      return;
    case 2:
      values[target] = ((bytes[at] << 24) >> 16) | bytes[at + 1];
      return;
    case 3:
      values[target] = ((bytes[at] << 24) >> 8) | (bytes[at + 1] << 8) | bytes[at + 2];
      return;
    case 4:
      values[target] = word(bytes, at);
      return;
    case 5:
      values[target] = (((bytes[at] << 24) >> 16) | bytes[at + 1]) * two32 + (word(bytes, at + 2) >>> 0);
      return;
    case 6:
      values[target] = word(bytes, at) * two32 + (word(bytes, at + 4) >>> 0);
      return;
    case 8:
    case 9:
      values[target] = serial - 8;
      return;
    default:
      throw new NotPlain('a value that is no integer');
  }
}

/** Writes the bits from 24 up, with the sign, to `high`, and the 24 below to `low`. */
function putHalves(
  values: Float64Array,
  high: number,
  low: number,
  bytes: Uint8Array,
  at: number,
  serial: number,
): void {
  if (serial === 6) {
    values[high] = word(bytes, at) * 256 + bytes[at + 4];
    values[low] = (bytes[at + 5] << 16) | (bytes[at + 6] << 8) | bytes[at + 7];
    return;
  }
  putInteger(values, high, bytes, at, serial);
  // All 48 bits of narrower integers fit.
  const whole = values[high];
  const above = Math.floor(whole / 2 ** 24);
  values[low] = whole - above * 2 ** 24;
  values[high] = above;
}

function word(bytes: Uint8Array, at: number): number {
  return (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
}
