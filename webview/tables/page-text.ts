import {formatCount, plural} from '../../src/core/format/count.js';
import type {TablePage} from '../../src/core/tabs/table-page.js';

type Counts = Pick<TablePage, 'keptCount' | 'rowCount'>;

/** How many rows there are, and how many of them the filter keeps. */
export function countsText({keptCount, rowCount}: Counts): string {
  return keptCount === rowCount ? plural(rowCount, 'row') : `${formatCount(keptCount)} of ${plural(rowCount, 'row')}`;
}

/** What stands in the place of a table without rows. @param about what its rows are */
export function emptyText({rowCount}: Counts, about: string): string {
  return rowCount > 0 ? 'No row has a name like that.' : `This profile, or what is chosen of it, has no ${about}.`;
}
