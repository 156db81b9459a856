import {bucketText} from '../../src/core/names/bucket-name.js';
import {shortKernelName} from '../../src/core/names/short-kernel-name.js';
import type {PageRow, TablePage} from '../../src/core/tabs/table-page.js';
import type {SortKey} from '../../src/core/tabs/sort-rows.js';
import {isCutName} from '../../src/core/trace/text-table.js';
import type {GridTable} from '../shared/grid/grid-table.js';
import type {RowCache} from '../shared/row-cache.js';
import {say, t} from '../shared/translate.js';

/** Longer numbers may be cut: later rows may have longer ones than the measured rows. */
const longNumber = 9;

/**
 * Returns a table of a profile for the grid.
 *
 * @param kernelColumn the column of kernel names, which are shortened; -1 for none
 */
export function pageTable(
  page: TablePage,
  cache: RowCache<PageRow>,
  sort: readonly SortKey[],
  kernelColumn: number,
): GridTable<PageRow> {
  return {
    ...{key: page.title, label: say(page.title), rowCount: page.keptCount, sort},
    columns: page.columns.map(({header, title, definition, isText, isName}) => ({
      // The row's subject comes first.
      ...{id: header, title: say(title), isText, isName, isFirst: isText},
      // The header is what the profiler's own documents call it.
      about: `${header}: ${say(definition)}`,
    })),
    row: at => cache.row(at),
    cell: ({texts, exact, bars, isCut}, column) => {
      const text = texts[column];
      if (!page.columns[column].isText) {
        const title = exact[column] === '' ? (text.length > longNumber ? text : '') : exact[column];
        return {text, title, bar: bars[column]};
      }
      const name = column === kernelColumn ? shortKernelName(text) : bucketText(text);
      if (!isCut || !isCutName(text)) return {text: name, title: text};
      return {text: name, title: t('{0}\nThe name was cut where the table was printed.', text), className: 'cut'};
    },
    longest: column =>
      page.rows.reduce((longest, {texts}) => Math.max(longest, texts[column].length), page.totals[column].length),
    totals: page.totals.map((text, at) => ({text, title: page.exactTotals[at]})),
  };
}
