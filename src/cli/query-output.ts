import {
  cellText,
  csvLine,
  jsonObject,
  markdownTitles,
  markdownLine,
  numericColumns,
  tableLine,
  type ResultCell,
} from '../core/format/result-text.js';
import {oneLine} from '../core/format/cells.js';
import type {OutputFormat} from './report.js';

type Rows = readonly (readonly ResultCell[])[];

/** A kernel's name may fill a screen: in a table for people columns end here. */
const widestColumn = 100;

/** Writes rows as they come; a result may be longer than memory. */
export class QueryOutput {
  readonly #write: (text: string) => Promise<void>;
  readonly #format: OutputFormat;
  #columns: readonly string[] = [];
  #count = 0;
  /** Taken from the first rows, as in nsys's tables. */
  #isNumeric: boolean[] = [];
  #widths: number[] = [];

  constructor(format: OutputFormat, write: (text: string) => Promise<void>) {
    this.#format = format;
    this.#write = write;
  }

  begin(columns: readonly string[]): void {
    this.#columns = columns;
  }

  async rows(rows: Rows): Promise<void> {
    const head = this.#count === 0 ? this.#head(rows) : '';
    const first = this.#count;
    this.#count += rows.length;
    await this.#write(head + rows.map((row, at) => this.#row(row, first + at)).join(''));
  }

  async end(): Promise<void> {
    if (this.#count === 0) await this.#write(this.#head([]));
    if (this.#format === 'json') await this.#write(this.#count === 0 ? ']\n' : '\n]\n');
  }

  #head(rows: Rows): string {
    const columns = this.#columns;
    this.#isNumeric = numericColumns(columns.length, rows);
    switch (this.#format) {
      case 'json':
        return '[';
      case 'csv':
        return csvLine(columns);
      case 'markdown':
        return markdownTitles(columns, this.#isNumeric);
      case 'table':
        this.#widths = columns.map((name, column) => widthOf(name, rows, column));
        return tableLine(columns, this.#widths, this.#isNumeric);
    }
  }

  #row(row: readonly ResultCell[], at: number): string {
    switch (this.#format) {
      case 'json':
        return `${at === 0 ? '' : ','}\n${jsonObject(this.#columns, row)}`;
      case 'csv':
        return csvLine(row);
      case 'markdown':
        return markdownLine(row);
      case 'table':
        return tableLine(row, this.#widths, this.#isNumeric);
    }
  }
}

function widthOf(name: string, rows: Rows, column: number): number {
  const longest = rows.reduce(
    (most, row) => Math.max(most, oneLine(cellText(row[column] ?? null)).length),
    name.length,
  );
  return Math.min(longest, Math.max(widestColumn, name.length));
}
