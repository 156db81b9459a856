import {isCount, isFields, textOrNull} from '../../src/core/base/read-json.js';
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
  /** What narrows the rows of the shown profile; null if another profile was shown. */
  readonly bar: BarState | null;
  readonly sort: readonly SortKey[];
}

/**
 * Returns the valid part of a stored state, which another version may have written. What narrows and sorts rows belongs
 * to one profile, and is not applied to another.
 */
export function storedView(stored: unknown, identity: string): StoredView {
  const view = isFields(stored) ? stored : {};
  const isOfProfile = view['identity'] === identity;
  return {
    tab: textOrNull(view['tab']),
    isChart: view['isChart'] === true,
    chartColumn: textOrNull(view['chartColumn']),
    columns: view['columns'],
    bar: isOfProfile ? storedBar(view['bar']) : null,
    sort: isOfProfile ? storedSort(view['sort']) : [],
  };
}

function storedBar(stored: unknown): BarState {
  const {text, isRegex, selection, stack} = isFields(stored) ? stored : {};
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
