import {greatest} from '../core/table/extremes.js';
import {csvCell, markdownCell, oneLine} from '../core/format/cells.js';
import {markdownTable} from '../core/format/markdown-table.js';

/** One column of a command's output. */
export interface Column<Row> {
  /** The key in JSON and the header in CSV; it names the unit. */
  readonly key: string;
  readonly value: (row: Row) => string | number | boolean | null;
  /** How people read it; the value itself where absent. */
  readonly text?: (row: Row) => string;
  readonly title: string;
}

export const outputFormats = ['table', 'json', 'csv', 'markdown'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** Rows in one of the output formats, with a final line feed. */
export function formatRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], format: OutputFormat): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(
        rows.map(row => asObject(row, columns)),
        null,
        2,
      )}\n`;
    case 'csv':
      return [columns.map(({key}) => key), ...rows.map(row => columns.map(({value}) => String(value(row) ?? '')))]
        .map(cells => `${cells.map(csvCell).join(',')}\n`)
        .join('');
    case 'markdown':
      return markdownRows(cellsOf(rows, columns), isNumeric(rows, columns));
    case 'table':
      return textTable(cellsOf(rows, columns), isNumeric(rows, columns));
  }
}

function asObject<Row>(row: Row, columns: readonly Column<Row>[]): Record<string, string | number | boolean | null> {
  return Object.fromEntries(columns.map(({key, value}) => [key, value(row)]));
}

function cellsOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[][] {
  const titles = columns.map(({title}) => title);
  const body = rows.map(row => columns.map(({value, text}) => oneLine(text ? text(row) : String(value(row) ?? ''))));
  return [titles, ...body];
}

function isNumeric<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): boolean[] {
  return columns.map(({value}) => rows.some(row => typeof value(row) === 'number'));
}

function markdownRows(cells: string[][], numeric: readonly boolean[]): string {
  const [titles = [], ...body] = cells.map(row => row.map(markdownCell));
  return `${markdownTable(titles, numeric, body)}\n`;
}

function textTable(cells: string[][], numeric: readonly boolean[]): string {
  const widths = numeric.map((_, column) => greatest(cells.map(row => (row[column] ?? '').length)));
  const pad = (cell: string, column: number) =>
    numeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return cells.map(row => `${row.map(pad).join('  ').trimEnd()}\n`).join('');
}
