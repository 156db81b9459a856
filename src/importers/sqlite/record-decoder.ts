import type {PlannedColumn} from './record-plan.js';
import {defaultStep, emptyStep, halvesStep, RecordShapes, rowidStep, textStep} from './record-shapes.js';
import type {TextInterner} from './text-interner.js';

const two24 = 2 ** 24;
const two32 = 2 ** 32;

/**
 * Decodes the wanted columns of records into one block of numbers. Nothing is allocated per row.
 *
 * @see https://www.sqlite.org/fileformat2.html#record_format
 */
export class RecordDecoder {
  readonly #shapes: RecordShapes;
  readonly #firsts: Int32Array;
  readonly #seconds: Int32Array;

  constructor(
    readonly plan: readonly PlannedColumn[],
    readonly values: Float64Array,
    readonly texts: TextInterner,
  ) {
    this.#shapes = new RecordShapes(plan);
    this.#firsts = Int32Array.from(plan, ({first}) => first);
    this.#seconds = Int32Array.from(plan, ({second}) => second);
  }

  /**
   * Decodes the record `bytes[start…end)` as row `row` of the batch. `view` is over the same bytes, which continue for
   * `slackBytes` after the last record.
   *
   * @throws NotPlain if a value does not have its column's type, or the record is longer than allowed
   */
  decode(bytes: Uint8Array, view: DataView, start: number, end: number, row: number, rowid: number): void {
    const shape = this.#shapes.find(bytes, view, start, end);
    const {steps, offsets} = this.#shapes;
    const columns = this.#firsts.length;
    const firstPlace = shape * columns;
    for (let i = 0; i < columns; i++) {
      const place = firstPlace + i;
      const step = steps[place];
      const at = start + offsets[place];
      const target = this.#firsts[i] + row;
      if (step < halvesStep) putInteger(this.values, target, view, at, step);
      else if (step < textStep) putHalves(this.values, target, this.#seconds[i] + row, view, at, step - halvesStep);
      else this.#putOther(bytes, place, at, i, row, rowid);
    }
  }

  #putOther(bytes: Uint8Array, place: number, at: number, i: number, row: number, rowid: number): void {
    const {values} = this;
    const target = this.#firsts[i] + row;
    const step = this.#shapes.steps[place];
    if (step === textStep) values[target] = this.texts.index(bytes, at, at + this.#shapes.sizes[place]);
    else if (step === emptyStep) values[target] = 0;
    else if (step === rowidStep) values[target] = rowid;
    else if (step === defaultStep) {
      values[this.#seconds[i] + row] = this.plan[i].otherwise;
      values[target] = this.plan[i].otherwise;
    }
  }
}

/**
 * Writes an integer by its serial type; NaN for null. Beyond 2^53 it is the nearest double, as SQLite's binding returns
 * it.
 */
function putInteger(values: Float64Array, target: number, view: DataView, at: number, type: number): void {
  switch (type) {
    case 0:
      values[target] = NaN;
      return;
    case 1:
      values[target] = view.getInt8(at);
      return;
    case 2:
      values[target] = view.getInt16(at);
      return;
    case 3:
      values[target] = (view.getInt16(at) << 8) | view.getUint8(at + 2);
      return;
    case 4:
      values[target] = view.getInt32(at);
      return;
    case 5:
      values[target] = view.getInt16(at) * two32 + view.getUint32(at + 2);
      return;
    case 6:
      values[target] = view.getInt32(at) * two32 + view.getUint32(at + 4);
      return;
    default:
      // The constants 0 and 1 have types of their own.
      values[target] = type - 8;
  }
}

/** Writes the bits from 24 up, with the sign, to `high`, and the lowest 24 bits to `low`. */
function putHalves(values: Float64Array, high: number, low: number, view: DataView, at: number, type: number): void {
  if (type === 6) {
    values[high] = view.getInt32(at) * 256 + view.getUint8(at + 4);
    values[low] = view.getUint32(at + 4) & 0xffffff;
    return;
  }
  putInteger(values, high, view, at, type);
  // All 48 bits of narrower integers fit.
  const whole = values[high];
  const above = Math.floor(whole / two24);
  values[low] = whole - above * two24;
  values[high] = above;
}
