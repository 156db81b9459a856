import type {HeldMemory} from './held-memory.js';
import type {RowColumn} from './row-column.js';
import type {TextIds} from './text-ids.js';

/** Converts a value to the number that a column stores; `absent` if it is unusable. */
export type Convert = (valueTag: number, value: number) => number;

export interface Field {
  readonly column: RowColumn;
  readonly convert: Convert;
}

/** Of all columns of a row together. */
const mostBytesPerRow = 64;

/** A kind of dictionary that becomes a row as soon as it is read. A key that no other kind has identifies it. */
export class RowKind {
  length = 0;
  #room = 0;
  readonly #names: readonly string[];
  readonly #fields: readonly Field[];
  /** The field that each text names, by the text's number, or -1. */
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

  /** Sets the value of a key of the row's dictionary; keys without a column are ignored. */
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
