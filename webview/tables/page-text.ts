import {formatCount} from '../../src/core/format/count.js';
import type {TablePage} from '../../src/core/tabs/table-page.js';
import {counted, t} from '../shared/translate.js';

type Counts = Pick<TablePage, 'keptCount' | 'rowCount'>;

/** Returns the number of rows, and of those that pass the filter. */
export function countsText({keptCount, rowCount}: Counts): string {
  return keptCount === rowCount
    ? counted(rowCount, '{0} row', '{0} rows')
    : t('{0} of {1}', formatCount(keptCount), counted(rowCount, '{0} row', '{0} rows'));
}

/** Returns the message for a table without rows. @param about the subject of its rows */
export function emptyText({rowCount}: Counts, about: string): string {
  return rowCount > 0
    ? t('No row has a name like that.')
    : t('This profile, or what is chosen of it, has no {0}.', about);
}
