import {sampleTitle} from '../../core/trace/text-table.js';
import {headerOf} from './column-header.js';
import {parseQuantity, timeExponent} from './quantity.js';
import type {RawTable} from './raw-table.js';
import type {ReadColumn} from './read-column.js';

/**
 * Returns the columns of a table of benchmark results; null if no column has times.
 *
 * A column has times if its header or its cells name a unit. The columns before the first of them say what was
 * measured. Samples have no unit, since the arrays that they come from name none.
 */
export function benchmarkColumns({headers, rows}: RawTable): ReadColumn[] | null {
  const isSamples = headers[0] === sampleTitle;
  const columns = headers.map((header, at): ReadColumn => {
    const {title, unit, exponent} = unitAnywhere(header);
    const label = {title, unit: 'none', isText: true, exponent: null} as const;
    if (isSamples) return {...label, isText: false, exponent: 0};
    const cells = rows.map(row => row[at]);
    if (header.includes('%')) return {title, unit: 'percent', isText: false, exponent: 0};
    if (unit === 'ns' && cells.some(hasNumber)) return {title, unit, isText: false, exponent};
    const isTime = cells.some(cell => parseQuantity(firstPart(cell))?.dimension === 'time');
    return isTime ? {title, unit: 'ns', isText: false, exponent: null} : label;
  });
  return isSamples || columns.some(({unit}) => unit === 'ns') ? columns : null;
}

function hasNumber(cell: string): boolean {
  return parseQuantity(firstPart(cell)) !== null;
}

function firstPart(cell: string): string {
  return cell.split('±')[0];
}

/** Returns the unit of a header, which may be in its middle: `Forward Time (ms) bfloat16`. */
function unitAnywhere(header: string): ReturnType<typeof headerOf> {
  const atEnd = headerOf(header);
  if (atEnd.unit !== 'none') return atEnd;
  const match = /\s*\((ns|us|µs|μs|ms|s|sec)\)/.exec(header.slice(0, 200));
  const exponent = match ? timeExponent(match[1]) : null;
  return match && exponent !== null ? {title: header.replace(match[0], ''), unit: 'ns', exponent} : atEnd;
}
