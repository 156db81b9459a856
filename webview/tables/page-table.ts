import {shortKernelName} from '../../src/core/names/short-kernel-name.js';
import type {PageRow, TablePage} from '../../src/core/tabs/table-page.js';
import type {SortKey} from '../../src/core/tabs/sort-rows.js';
import {isCutName} from '../../src/core/trace/text-table.js';
import type {GridTable} from '../shared/grid/grid-table.js';
import type {RowCache} from '../shared/row-cache.js';
import {t} from '../shared/translate.js';

/** Numbers of more letters than this may be cut: rows further down may have longer ones than those that are measured. */
const longNumber = 9;

/**
 * A table of a profile as a grid shows it.
 *
 * @param kernelColumn the one with names of kernels, which are shown short; -1 for none
 */
export function pageTable(
  page: TablePage,
  cache: RowCache<PageRow>,
  sort: readonly SortKey[],
  kernelColumn: number,
): GridTable<PageRow> {
  return {
    ...{key: page.title, label: page.title, rowCount: page.keptCount, sort},
    columns: page.columns.map(({header, title, definition, isText, isName}) => ({
      // What a row is about comes first.
      ...{id: header, title, isText, isName, isFirst: isText},
      about: `${header}: ${definition}`,
    })),
    row: at => cache.row(at),
    cell: ({texts, exact, bars, isCut}, column) => {
      const text = texts[column];
      if (!page.columns[column].isText) {
        const title = exact[column] === '' ? (text.length > longNumber ? text : '') : exact[column];
        return {text, title, bar: bars[column]};
      }
      const name = column === kernelColumn ? shortKernelName(text) : text;
      if (!isCut || !isCutName(text)) return {text: name, title: text};
      return {text: name, title: t('{0}\nThe name was cut where the table was printed.', text), className: 'cut'};
    },
    longest: column =>
      page.rows.reduce((longest, {texts}) => Math.max(longest, texts[column].length), page.totals[column].length),
    totals: page.totals.map((text, at) => ({text, title: page.exactTotals[at]})),
  };
}
