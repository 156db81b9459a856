import type {RangeStack} from '../attribution/range-stack.js';
import {foldName} from '../names/operator-name.js';
import {displayName} from '../names/slice-name.js';
import {filterOfName} from '../scope/range-filter.js';
import type {Selection} from '../scope/selection.js';
import type {TableTab} from './tab-list.js';

/** A row of a table, and what the table is of. */
interface RowOfTable {
  readonly kind: TableTab['row'];
  readonly name: string;
  readonly selection: Selection;
  readonly stack: RangeStack;
}

/**
 * What a flame graph shows of a row: all work of a range or step, of anything else the callers and callees. What the
 * table is narrowed to narrows it, too; the range of a row stands for the one that the table is of.
 */
export function flameOfRow({kind, name, selection, stack}: RowOfTable): {
  readonly selection: Selection;
  readonly stack: RangeStack;
  readonly focus: string | null;
} {
  if (kind === 'range') return {selection: {...selection, range: rangeFilter(name, stack)}, stack, focus: null};
  return {selection, stack, focus: kind === 'step' ? null : blockName(kind, name)};
}

/** A name of another domain has it before itself; one of the default domain says so where that alone is chosen. */
function rangeFilter(name: string, {domain}: RangeStack): string {
  return domain === '' ? `${filterOfName(name)}@` : filterOfName(name);
}

/** What a flame graph calls what a row is about. */
function blockName(kind: TableTab['row'], name: string): string {
  return kind === 'operator' ? foldName(name) : displayName(name);
}
