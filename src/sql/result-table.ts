import {cellText, csvLine, markdownTitles, markdownLine, numericColumns} from '../core/format/result-text.js';
import type {SqlCell} from './messages.js';

/** A span of shown rows, `to` exclusive. */
export interface RowSpan {
  readonly from: number;
  readonly to: number;
}

/** A column that rows are sorted by. */
export interface ResultSort {
  readonly column: number;
  readonly isDescending: boolean;
}

export type CopyFormat = 'text' | 'csv' | 'markdown';

/** The rows of a query as a view shows them: sorted, and in spans. */
export class ResultTable {
  readonly columns: readonly string[];
  readonly #rows: (readonly SqlCell[])[] = [];
  /** Place in the view → row; null for all rows in the query's order. */
  #order: Uint32Array | null = null;

  constructor(columns: readonly string[]) {
    this.columns = columns;
  }

  get length(): number {
    return this.#rows.length;
  }

  /** Which columns have only numbers. */
  get isNumeric(): boolean[] {
    return numericColumns(this.columns.length, this.#rows);
  }

  add(rows: readonly (readonly SqlCell[])[]): void {
    for (const row of rows) this.#rows.push(row);
  }

  /** The number of shown rows. */
  get shownCount(): number {
    return this.#order?.length ?? this.length;
  }

  /**
   * Shows the rows that have a text in some cell, letters of either case alike, in an order: numbers by value before
   * texts by letter, absent values last, equal values in the query's order. Without keys, rows keep the query's order.
   */
  arrange(sort: readonly ResultSort[], filter: string): void {
    this.#order = null;
    if (sort.length === 0 && filter === '') return;
    const wanted = filter.toLowerCase();
    const has = (row: number) => this.#rows[row].some(cell => cellText(cell).toLowerCase().includes(wanted));
    const all = [...this.#rows.keys()];
    const kept = wanted === '' ? all : all.filter(has);
    this.#order = Uint32Array.from(kept).sort((a, b) => {
      for (const {column, isDescending} of sort) {
        const found = compareCells(this.#rows[a][column], this.#rows[b][column], isDescending);
        if (found !== 0) return found;
      }
      return a - b;
    });
  }

  /** Returns the texts of rows; null is absent. Rows after the last are left out. */
  texts(span: RowSpan): (string | null)[][] {
    return this.#span(span).map(row => row.map(cell => (cell === null ? null : cellText(cell))));
  }

  /** Returns rows as text. CSV and Markdown have a header; `text` has a line per row, with tabs. */
  copy(format: CopyFormat, span: RowSpan = {from: 0, to: this.shownCount}): string {
    const rows = this.#span(span);
    switch (format) {
      case 'csv':
        return [this.columns, ...rows].map(csvLine).join('');
      case 'markdown':
        return markdownTitles(this.columns, this.isNumeric) + rows.map(markdownLine).join('');
      case 'text':
        return rows.map(row => row.map(cellText).join('\t')).join('\n');
    }
  }

  #span({from, to}: RowSpan): (readonly SqlCell[])[] {
    const end = Math.min(to, this.shownCount);
    const rows: (readonly SqlCell[])[] = [];
    for (let at = Math.max(0, from); at < end; at++) rows.push(this.#rows[this.#order?.[at] ?? at]);
    return rows;
  }
}

function compareCells(a: SqlCell, b: SqlCell, isDescending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (isDescending ? -1 : 1) * compare(a, b);
}

function compare(a: string | number | bigint, b: string | number | bigint): number {
  const isText = typeof a === 'string';
  if (isText !== (typeof b === 'string')) return isText ? 1 : -1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
