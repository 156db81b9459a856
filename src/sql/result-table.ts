import {cellText, csvLine, markdownHead, markdownLine, numericColumns} from '../core/format/result-text.js';
import type {SqlCell} from './messages.js';

/** Rows that are shown, `to` exclusive. */
export interface RowSpan {
  readonly from: number;
  readonly to: number;
}

export type CopyFormat = 'text' | 'csv' | 'markdown';

/** The rows of a query as a view shows them: in some order, by spans. */
export class ResultTable {
  readonly columns: readonly string[];
  readonly #rows: (readonly SqlCell[])[] = [];
  /** Place in the view → row; null where rows stand as they came. */
  #order: Uint32Array | null = null;

  constructor(columns: readonly string[]) {
    this.columns = columns;
  }

  get length(): number {
    return this.#rows.length;
  }

  /** Which columns hold numbers alone. */
  get isNumeric(): boolean[] {
    return numericColumns(this.columns.length, this.#rows);
  }

  add(rows: readonly (readonly SqlCell[])[]): void {
    for (const row of rows) this.#rows.push(row);
  }

  /**
   * Sorts by a column: numbers by value before texts by letter, what is absent last, equal ones as they came. Null puts
   * the rows back as they came.
   */
  sort(by: {readonly column: number; readonly isDescending: boolean} | null): void {
    this.#order = null;
    if (by === null) return;
    const {column, isDescending} = by;
    const sign = isDescending ? -1 : 1;
    this.#order = Uint32Array.from(this.#rows.keys()).sort((a, b) => {
      const left = this.#rows[a][column];
      const right = this.#rows[b][column];
      if (left === null || right === null) return Number(left === null) - Number(right === null) || a - b;
      return sign * compare(left, right) || a - b;
    });
  }

  /** The texts of rows; null is absent. Rows behind the last are left out. */
  texts(span: RowSpan): (string | null)[][] {
    return this.#span(span).map(row => row.map(cell => (cell === null ? null : cellText(cell))));
  }

  /** Rows as text: of CSV and Markdown with a head; `text` is a line per row, with tabs. */
  copy(format: CopyFormat, span: RowSpan = {from: 0, to: this.length}): string {
    const rows = this.#span(span);
    switch (format) {
      case 'csv':
        return [this.columns, ...rows].map(csvLine).join('');
      case 'markdown':
        return markdownHead(this.columns, this.isNumeric) + rows.map(markdownLine).join('');
      case 'text':
        return rows.map(row => row.map(cellText).join('\t')).join('\n');
    }
  }

  #span({from, to}: RowSpan): (readonly SqlCell[])[] {
    const end = Math.min(to, this.length);
    const rows: (readonly SqlCell[])[] = [];
    for (let at = Math.max(0, from); at < end; at++) rows.push(this.#rows[this.#order?.[at] ?? at]);
    return rows;
  }
}

function compare(a: string | number | bigint, b: string | number | bigint): number {
  const isText = typeof a === 'string';
  if (isText !== (typeof b === 'string')) return isText ? 1 : -1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
