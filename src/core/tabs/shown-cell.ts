import {formatCount} from '../format/count.js';
import {formatDuration} from '../format/duration.js';
import {formatQuantity} from '../format/quantity.js';
import {formatCounterValue} from '../names/counter-value.js';
import {displayText} from '../reports/report-text.js';
import type {Cell, ColumnUnit, ReportColumn} from '../reports/report.js';

/** Formats a number by its unit; null if the column itself determines the format. */
const readers: Readonly<Record<ColumnUnit, ((value: number, text: string) => string) | null>> = {
  ns: formatDuration,
  bytes: value => formatCounterValue(value, 'bytes'),
  percent: (_, text) => `${text} %`,
  megabytes: value => formatQuantity(value * 1e6, 'B'),
  megabytesPerSecond: value => formatQuantity(value * 1e6, 'B/s'),
  none: null,
};

/**
 * Returns a cell's displayed text, with three digits and its unit: `567 ms`, `18.3 GB/s`; counts in full; "" for an
 * absent value.
 */
export function shownCell(cell: Cell, column: ReportColumn): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return displayText(cell, column);
  const read = readers[column.unit];
  if (read) return read(cell, displayText(cell, column));
  return column.display ? column.display(cell) : plainNumber(cell, column);
}

/** Returns the same with all known digits, in the column's unit. */
export function exactCell(cell: Cell, column: ReportColumn): string {
  if (typeof cell !== 'number') return shownCell(cell, column);
  return `${withCommas(String(cell))}${unitTexts[column.unit]}`;
}

const unitTexts: Readonly<Record<ColumnUnit, string>> = {
  ns: ' ns',
  bytes: ' B',
  percent: ' %',
  megabytes: ' MB',
  megabytesPerSecond: ' MB/s',
  none: '',
};

/** Formats counts, ids and quotients: with thousands separators, without useless digits. */
function plainNumber(value: number, column: ReportColumn): string {
  if (column.decimals !== undefined || Number.isInteger(value)) return withCommas(displayText(value, column));
  return withCommas(String(Number(value.toPrecision(4))));
}

function withCommas(text: string): string {
  return text.replace(/^-?\d+(?!\d*e)/, whole => formatCount(Number(whole)));
}
