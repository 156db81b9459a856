import {csvCell, markdownCell, oneLine, terminalJson} from '../format/cells.js';
import {markdownHead, markdownRow} from '../format/markdown-table.js';
import {cellText, columnHeader, type Report, type ReportColumn} from './report.js';

export const reportFormats = ['table', 'json', 'csv', 'markdown'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** The approximate number of rows in a piece of text: a report may have millions. */
const rowsPerPiece = 1000;

/**
 * Writes reports as text, in pieces. The last piece ends with a line feed.
 *
 * Tables look like those of `nsys stats` or PyTorch. JSON is one array of rows, or for several reports an object of
 * arrays by requested name. A report without rows makes no table.
 */
export function* reportsText(reports: readonly Report[], format: ReportFormat): Generator<string> {
  if (format === 'json') {
    yield* reports.length === 1 && reports[0] ? jsonArray(reports[0], '') : jsonObject(reports);
    yield '\n';
    return;
  }
  let isFirst = true;
  for (const report of reports) {
    if (format === 'csv') {
      if (!isFirst) yield '\n';
      yield* csv(report);
    } else if (report.rows.length > 0) {
      if (format === 'markdown') yield* markdown(report, !isFirst);
      else yield* (report.layout ?? nsysTable)(report);
    }
    isFirst = false;
  }
}

function* jsonObject(reports: readonly Report[]): Generator<string> {
  yield '{';
  for (const [at, report] of reports.entries()) {
    yield `${at === 0 ? '' : ','}\n  ${JSON.stringify(report.name)}: `;
    yield* jsonArray(report, '  ');
  }
  yield '\n}';
}

function* jsonArray({columns, rows}: Report, indent: string): Generator<string> {
  const keys = columns.map(column => JSON.stringify(columnHeader(column)));
  const lines = inPieces(rows.length, row => {
    const members = rows
      .cells(row)
      .map((cell, at) => `${indent}    ${keys[at]}: ${terminalJson(JSON.stringify(cell))}`);
    return `${row === 0 ? '' : ','}\n${indent}  {\n${members.join(',\n')}\n${indent}  }`;
  });
  yield '[';
  yield* lines;
  yield rows.length === 0 ? ']' : `\n${indent}]`;
}

function* csv({columns, rows}: Report): Generator<string> {
  yield `${columns.map(column => csvCell(columnHeader(column))).join(',')}\n`;
  yield* inPieces(
    rows.length,
    row =>
      `${rows
        .cells(row)
        .map((cell, at) => csvCell(cellText(cell, columns[at])))
        .join(',')}\n`,
  );
}

function* markdown({name, title, columns, rows}: Report, isNext: boolean): Generator<string> {
  yield `${isNext ? '\n' : ''}## ${markdownCell(title)} (${markdownCell(name)})\n\n`;
  const titles = columns.map(column => markdownCell(columnHeader(column)));
  const isNumeric = columns.map(({isText}) => isText !== true);
  yield `${markdownHead(titles, isNumeric)}\n`;
  yield* inPieces(
    rows.length,
    row => `${markdownRow(rows.cells(row).map((cell, at) => markdownCell(displayText(cell, columns[at]))))}\n`,
  );
  for (const line of rows.footer ?? []) yield `\n${markdownCell(line)}\n`;
}

/** nsys derives the widths of its columns from this many rows, and limits them to this many characters. */
const rowsForWidths = 100;
const widestColumn = 100;

/**
 * Writes a table as `nsys stats` prints it: a title, centered headers, numbers on the right, texts on the left. Texts
 * that are too long are cut with an ellipsis.
 */
function* nsysTable({name, title, columns, rows}: Report): Generator<string> {
  const headers = columns.map(columnHeader);
  const widths = headers.map(header => header.length);
  for (let row = 0; row < Math.min(rows.length, rowsForWidths); row++) {
    rows.cells(row).forEach((cell, at) => {
      widths[at] = Math.max(widths[at], Math.min(widestColumn, oneLine(cellText(cell, columns[at])).length));
    });
  }
  const line = (cells: string[]) => ` ${cells.join('  ')}\n`;
  yield `\n ** ${title} (${name}):\n\n`;
  yield line(headers.map((header, at) => centered(header, widths[at])));
  yield line(widths.map(width => '-'.repeat(width)));
  yield* inPieces(rows.length, row =>
    line(
      rows.cells(row).map((cell, at) => {
        const text = clipped(oneLine(cellText(cell, columns[at])), widths[at]);
        return columns[at].isText ? text.padEnd(widths[at]) : text.padStart(widths[at]);
      }),
    ),
  );
  yield '\n';
}

/** Returns the text of a cell for display: the column's own format, or the plain text. */
export function displayText(cell: Parameters<typeof cellText>[0], column: ReportColumn): string {
  return column.display && typeof cell === 'number' ? column.display(cell) : cellText(cell, column);
}

function clipped(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}

/** Centers a text. An odd blank goes to the right, as in Python. */
function centered(text: string, width: number): string {
  return text.padStart(text.length + ((width - text.length) >> 1)).padEnd(width);
}

function* inPieces(length: number, textOf: (row: number) => string): Generator<string> {
  for (let first = 0; first < length; first += rowsPerPiece) {
    let piece = '';
    for (let row = first; row < Math.min(length, first + rowsPerPiece); row++) piece += textOf(row);
    yield piece;
  }
}
