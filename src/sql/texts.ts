import type {StringTable} from '../core/table/string-table.js';

/**
 * Shared texts by number. A text of the trace has its index there; the numbers of others follow.
 *
 * Only texts that some row uses are written to the database: a trace may hold a million more.
 */
export class Texts {
  readonly #strings: StringTable;
  readonly #others: string[] = [];
  readonly #indexOfOther = new Map<string, number>();
  readonly #firstOther: number;
  /** Number → 1 once a row uses it. */
  #isUsed: Uint8Array;
  #unwritten: number[] = [];

  constructor(strings: StringTable) {
    this.#strings = strings;
    this.#firstOther = strings.length;
    this.#isUsed = new Uint8Array(strings.length + 1024);
  }

  /** Returns the number of a string of the trace; null for -1, which is absent. */
  ofTrace(index: number): number | null {
    if (index < 0) return null;
    if (this.#isUsed[index] === 0) this.#use(index);
    return index;
  }

  /** Returns the number of any other text; null stays null. */
  add(text: string | null): number | null {
    if (text === null) return null;
    let number = this.#indexOfOther.get(text);
    if (number === undefined) {
      number = this.#firstOther + this.#others.push(text) - 1;
      this.#indexOfOther.set(text, number);
      this.#use(number);
    }
    return number;
  }

  /** Returns the text of a number; null stays null. */
  textOf(number: string | number | bigint | null): string | null {
    if (number === null) return null;
    const at = Number(number);
    return at < this.#firstOther ? this.#strings.get(at) : this.#others[at - this.#firstOther];
  }

  /** Returns the texts that were used since the last call. */
  takeUnwritten(): {readonly numbers: readonly number[]; readonly textOf: (number: number) => string} {
    const numbers = this.#unwritten;
    this.#unwritten = [];
    return {numbers, textOf: number => this.textOf(number) ?? ''};
  }

  #use(number: number): void {
    if (number >= this.#isUsed.length) {
      const longer = new Uint8Array(2 * number);
      longer.set(this.#isUsed);
      this.#isUsed = longer;
    }
    this.#isUsed[number] = 1;
    this.#unwritten.push(number);
  }
}
