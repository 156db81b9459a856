import type {TextColumnUnit} from '../../core/trace/text-table.js';
import {timeExponent} from './quantity.js';

/** The contents of a header: a title, and the unit of the numbers below. */
export interface ColumnHeader {
  readonly title: string;
  readonly unit: TextColumnUnit;
  /** The power of ten that converts a number without a unit to the column's unit. */
  readonly exponent: number;
}

/**
 * Splits `Total Time (ns)`, `Time(%)` and `Total (MB)` into title and unit; a header without a unit has the unit
 * `none`.
 */
export function headerOf(header: string): ColumnHeader {
  const text = header.trim();
  const match = /^(.{0,200}?)\s*\(([^()]{1,8})\)$/.exec(text);
  const [title, word] = match ? [match[1], match[2]] : [text, ''];
  const exponent = timeExponent(word);
  if (exponent !== null) return {title, unit: 'ns', exponent};
  if (word === '%') return {title, unit: 'percent', exponent: 0};
  if (word === 'MB') return {title, unit: 'megabytes', exponent: 0};
  if (word === 'MBps' || word === 'MB/s') return {title, unit: 'megabytesPerSecond', exponent: 0};
  return {title: text, unit: 'none', exponent: 0};
}
