import type {HeldMemory} from './held-memory.js';
import type {RowColumn} from './row-column.js';
import type {TextIds} from './text-ids.js';

/** Turns a value into the number that a column holds; the column's `absent` where it is of no use. */
export type Convert = (valueTag: number, value: number) => number;

export interface Field {
  readonly column: RowColumn;
  readonly convert: Convert;
}

/** Of all columns of a row together. */
const mostBytesPerRow = 64;

/** A sort of dictionary that becomes a row as soon as it is read, told by a key that no other sort has. */
export class RowKind {
  length = 0;
  #room = 0;
  readonly #names: readonly string[];
  readonly #fields: readonly Field[];
  /** By the number of a text the field that it names, or -1. */
  readonly #fieldOfText: number[] = [];

  constructor(
    readonly mark: string,
    fields: Readonly<Record<string, Field>>,
    private readonly texts: TextIds,
    private readonly held: HeldMemory,
  ) {
    this.#names = Object.keys(fields);
    this.#fields = Object.values(fields);
  }

  /** Adds a row with nothing in it. */
  addRow(): number {
    if (this.length === this.#room) this.#grow();
    return this.length++;
  }

  /** Sets what a key of the row's dictionary says; keys without a column are passed over. */
  set(row: number, key: number, valueTag: number, value: number): void {
    const index = key < this.#fieldOfText.length ? this.#fieldOfText[key] : this.#fieldIndex(key);
    if (index < 0) return;
    const {column, convert} = this.#fields[index];
    const converted = convert(valueTag, value);
    if (column.values) column.values[row] = converted;
    else if (!Object.is(converted, column.absent)) column.grow(this.#room)[row] = converted;
  }

  #grow(): void {
    this.#room = Math.max(256, this.held.nextLength(this.#room, mostBytesPerRow));
    for (const {column} of this.#fields) if (column.values) column.grow(this.#room);
  }

  #fieldIndex(key: number): number {
    for (let text = this.#fieldOfText.length; text <= key; text++) {
      this.#fieldOfText.push(this.#names.indexOf(this.texts.texts[text]));
    }
    return this.#fieldOfText[key];
  }
}
