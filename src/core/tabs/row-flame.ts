import type {RangeStack} from '../attribution/range-stack.js';
import {foldName} from '../names/operator-name.js';
import {displayName} from '../names/slice-name.js';
import {filterOfName} from '../scope/range-filter.js';
import type {Selection} from '../scope/selection.js';
import type {TableTab} from './tab-list.js';

/** A row of a table, with the options of the table. */
interface RowOfTable {
  readonly kind: TableTab['row'];
  readonly name: string;
  readonly selection: Selection;
  readonly stack: RangeStack;
}

/**
 * Returns the parameters of a row's flame graph: all work of a range or step, or the callers and callees of anything
 * else. The table's selection also applies; if the row is a range, it replaces the table's range.
 */
export function flameOfRow({kind, name, selection, stack}: RowOfTable): {
  readonly selection: Selection;
  readonly stack: RangeStack;
  readonly focus: string | null;
} {
  if (kind === 'range') return {selection: {...selection, range: rangeFilter(name, stack)}, stack, focus: null};
  return {selection, stack, focus: kind === 'step' ? null : blockName(kind, name)};
}

/**
 * Returns a filter for a name. A name of another domain begins with the domain; a name of the default domain says so if
 * only that domain is selected.
 */
function rangeFilter(name: string, {domain}: RangeStack): string {
  return domain === '' ? `${filterOfName(name)}@` : filterOfName(name);
}

/** Returns the flame graph's name for a row's subject. */
function blockName(kind: TableTab['row'], name: string): string {
  return kind === 'operator' ? foldName(name) : displayName(name);
}
