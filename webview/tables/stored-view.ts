import {isCount, isFields, textOrNull, type JsonFields} from '../../src/core/base/read-json.js';
import type {SortKey} from '../../src/core/tabs/sort-rows.js';
import {storedSelection, storedStack} from '../shared/stored-selection.js';
import type {BarState} from './toolbar.js';

/** The state of the tables that is stored while they are hidden. */
export interface StoredView {
  readonly tab: string | null;
  readonly isChart: boolean;
  /** The header of the column chosen for a chart. */
  readonly chartColumn: string | null;
  /** The layout of columns, which `ColumnLayouts` reads. */
  readonly columns: unknown;
}

/** What narrows and sorts the rows of one profile; null if nothing was stored. */
export interface StoredRows {
  readonly bar: BarState | null;
  readonly sort: readonly SortKey[];
}

/** Returns the valid part of a stored state, which another version may have written. */
export function storedView({tab, isChart, chartColumn, columns}: JsonFields): StoredView {
  return {tab: textOrNull(tab), isChart: isChart === true, chartColumn: textOrNull(chartColumn), columns};
}

/** Returns the valid part of the choices that were stored for a profile. */
export function storedRows({bar, sort}: JsonFields): StoredRows {
  return {bar: isFields(bar) ? storedBar(bar) : null, sort: storedSort(sort)};
}

function storedBar({text, isRegex, selection, stack}: JsonFields): BarState {
  return {
    text: textOrNull(text) ?? '',
    isRegex: isRegex === true,
    selection: storedSelection(selection),
    stack: storedStack(stack),
  };
}

function storedSort(stored: unknown): SortKey[] {
  return (Array.isArray(stored) ? stored.filter(isFields) : []).flatMap(({column, header, isDescending}) =>
    isCount(column) && typeof header === 'string' ? [{column, header, isDescending: isDescending === true}] : [],
  );
}
