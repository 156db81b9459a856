import type {QueryResultView} from '../../src/protocol/query-messages.js';
import type {GridTable} from '../shared/grid/grid-table.js';
import type {RowCache} from '../shared/row-cache.js';
import {t} from '../shared/translate.js';

/** Null for an absent value. */
export type RowTexts = readonly (string | null)[];

/** Number of first rows that determine the width of columns. */
const measuredRows = 100;
/** The most letters in a tooltip. */
const mostTitle = 2000;

/** Returns a query's result as a table for the grid. */
export function resultTable(result: QueryResultView, cache: RowCache<RowTexts>): GridTable<RowTexts> {
  const {columns, isNumeric, keptCount, sort, summary} = result;
  return {
    key: columns.join('\n'),
    label: t('Result: {0}', summary),
    // A query may give several columns the same name.
    columns: columns.map((title, at) => ({
      id: columns.indexOf(title) === at ? title : `${title} ${String(at)}`,
      title,
      isText: !isNumeric[at],
    })),
    ...{rowCount: keptCount, sort},
    row: at => cache.row(at),
    cell: (row, column) => {
      const text = row[column] ?? null;
      return text === null ? {text: 'NULL', title: '', className: 'null'} : {text, title: text.slice(0, mostTitle)};
    },
    longest: column => {
      let longest = 0;
      for (let at = 0; at < Math.min(keptCount, measuredRows); at++)
        longest = Math.max(longest, cache.row(at)?.[column]?.length ?? 4);
      return longest;
    },
  };
}
