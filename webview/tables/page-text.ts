import {formatCount} from '../../src/core/format/count.js';
import type {TablePage} from '../../src/core/tabs/table-page.js';
import {counted, t} from '../shared/translate.js';

type Counts = Pick<TablePage, 'keptCount' | 'rowCount'>;

/** How many rows there are, and how many of them the filter keeps. */
export function countsText({keptCount, rowCount}: Counts): string {
  return keptCount === rowCount
    ? counted(rowCount, '{0} row', '{0} rows')
    : t('{0} of {1}', formatCount(keptCount), counted(rowCount, '{0} row', '{0} rows'));
}

/** What stands in the place of a table without rows. @param about what its rows are */
export function emptyText({rowCount}: Counts, about: string): string {
  return rowCount > 0
    ? t('No row has a name like that.')
    : t('This profile, or what is chosen of it, has no {0}.', about);
}
