import {csvCell, markdownCell, oneLine, terminalJson} from './cells.js';
import {markdownHead, markdownRow} from './markdown-table.js';

/** A value of a table whose columns may have any type. */
export type ResultCell = string | number | bigint | null;

/** Returns a value as text; empty for null. */
export function cellText(cell: ResultCell): string {
  return cell === null ? '' : String(cell);
}

/** Returns one line of CSV, with its line feed. */
export function csvLine(cells: readonly ResultCell[]): string {
  return `${cells.map(cell => csvCell(cellText(cell))).join(',')}\n`;
}

/** Returns one row of a Markdown table, with its line feed. */
export function markdownLine(cells: readonly ResultCell[]): string {
  return `${markdownRow(escaped(cells))}\n`;
}

/**
 * Returns the titles of a Markdown table with the rule below them, with a line feed; columns of numbers are aligned
 * right.
 */
export function markdownTitles(columns: readonly string[], isNumeric: readonly boolean[]): string {
  return `${markdownHead(escaped(columns), isNumeric)}\n`;
}

const escaped = (cells: readonly ResultCell[]): string[] => cells.map(cell => markdownCell(cellText(cell)));

/** Returns one row of a text table, with its line feed; cells wider than their column are cut. */
export function tableLine(
  cells: readonly ResultCell[],
  widths: readonly number[],
  isNumeric: readonly boolean[],
): string {
  const padded = cells.map((cell, column) => {
    const width = widths[column];
    const text = oneLine(cellText(cell));
    const shown = text.length > width ? `${text.slice(0, width - 1)}…` : text;
    return isNumeric[column] ? shown.padStart(width) : shown.padEnd(width);
  });
  return `${padded.join('  ').trimEnd()}\n`;
}

/** Returns a JSON object keyed by the names of columns; integers of any size keep all their digits. */
export function jsonObject(columns: readonly string[], cells: readonly ResultCell[]): string {
  const members = columns.map((column, at) => `    ${terminalJson(JSON.stringify(column))}: ${jsonValue(cells[at])}`);
  return `  {\n${members.join(',\n')}\n  }`;
}

function jsonValue(cell: ResultCell): string {
  // JSON has no infinity; JSON.stringify writes null.
  return typeof cell === 'bigint' ? String(cell) : terminalJson(JSON.stringify(cell));
}

/** Returns which columns contain numbers and no text. */
export function numericColumns(length: number, rows: readonly (readonly ResultCell[])[]): boolean[] {
  return Array.from({length}, (_, column) => {
    const some = rows.some(row => row[column] !== null);
    return some && rows.every(row => typeof row[column] !== 'string');
  });
}
