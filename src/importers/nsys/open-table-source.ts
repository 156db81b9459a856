import type {StringTable} from '../../core/table/string-table.js';
import type {FileHead} from '../importer.js';
import {PageTableSource} from '../sqlite/page-table-source.js';
import {SqlTableSource} from '../sqlite/sql-table-source.js';
import type {TableSource} from '../sqlite/table-source.js';
import type {NsysDatabase} from './nsys-database.js';

/** How tables are read: from the pages of the file, or by SQLite. The two differ in nothing but speed. */
export type ReadingWay = 'pages' | 'sql';

/**
 * The tables of an export; what is text goes into `strings`.
 *
 * @throws NotPlain where pages do not tell all, never of `sql`
 */
export function openTableSource(
  db: NsysDatabase,
  file: FileHead,
  strings: StringTable,
  way: ReadingWay,
): {readonly source: TableSource; readonly close: () => void} {
  if (way === 'sql') return {source: new SqlTableSource(db, strings), close: () => undefined};
  const source = new PageTableSource(file, table => db.plainTable(table), strings);
  return {source, close: () => source.close()};
}
