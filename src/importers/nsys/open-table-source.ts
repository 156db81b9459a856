import type {StringTable} from '../../core/table/string-table.js';
import type {FileHead} from '../reading/importer.js';
import {NotPlain} from '../sqlite/not-plain.js';
import {PageTableSource} from '../sqlite/page-table-source.js';
import {SqlTableSource} from '../sqlite/sql-table-source.js';
import type {TableSource} from '../sqlite/table-source.js';
import {ThreadedTableSource} from '../sqlite/threaded-table-source.js';
import {threadProgram} from '../reading/thread-program.js';
import type {NsysDatabase} from './database/nsys-database.js';

/** How tables are read: from the pages of the file, or by SQLite. They differ only in speed. */
export type ReadingWay = 'pages' | 'sql';

/** Smaller files are read before another thread would have started. */
const leastThreadedBytes = 64 << 20;

/**
 * Opens the tables of an export; texts go into `strings`.
 *
 * @param program of the thread that reads the pages; null to read them in this thread: for small files, and in
 *   unbundled code
 * @throws NotPlain if the pages do not suffice; never with `sql`
 */
export function openTableSource(
  db: NsysDatabase,
  file: FileHead,
  strings: StringTable,
  way: ReadingWay,
  program = file.bytes < leastThreadedBytes ? null : threadProgram('pages'),
): {readonly source: TableSource; readonly close: () => void} {
  if (way === 'sql') return {source: new SqlTableSource(db, strings), close: () => undefined};
  if (db.isCopy) throw new NotPlain('changes stand beside the file');
  const describe = (table: string) => db.plainTable(table);
  const source =
    program === null
      ? new PageTableSource(file, describe, strings)
      : new ThreadedTableSource(program, file, describe, strings);
  return {source, close: () => source.close()};
}
