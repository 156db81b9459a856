import type {PageColumn} from '../../src/core/tabs/table-page.js';
import type {SortKey} from '../../src/core/tabs/sort-rows.js';

/**
 * Returns the column of a table to draw: the chosen one, else the one sorted by, else the first with bars, else the
 * first with numbers; -1 for none.
 *
 * @param chosen its header
 */
export function chartedColumn(columns: readonly PageColumn[], sort: readonly SortKey[], chosen: string | null): number {
  const known = columns.findIndex(({header, isText}) => !isText && header === chosen);
  if (known >= 0) return known;
  const sorted = sort.find(({column}) => columns.at(column)?.isText === false);
  if (sorted) return sorted.column;
  const withBar = columns.findIndex(({hasBar, header}) => hasBar && !header.includes('%'));
  return withBar >= 0 ? withBar : columns.findIndex(({isText}) => !isText);
}
