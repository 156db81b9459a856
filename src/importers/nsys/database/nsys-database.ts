import {basename} from 'node:path';
import Database from 'better-sqlite3';
import {TraceError} from '../../../core/base/errors.js';
import {say} from '../../../core/base/say.js';
import {counted} from '../../../core/format/count.js';
import type {TraceNote} from '../../../core/trace/trace.js';
import type {FileHead} from '../../reading/importer.js';
import {DatabaseFile} from '../../sqlite/database-file.js';
import {NotPlain} from '../../sqlite/not-plain.js';
import type {PlainTable} from '../../sqlite/plain-table.js';

interface ColumnInfo {
  readonly name: string;
  readonly dflt_value: string | null;
  readonly pk: number;
  /** Not 0 for generated columns, which the records may lack. */
  readonly hidden: number;
}

/** A row's offset, length, id and header take a byte or two each. */
const leastRowBytes = 4;

/** SQLite's own advice for files of strangers. The driver turns the defensive mode on. @see https://sqlite.org/security.html */
const hostileFilePragmas = ['trusted_schema = off', 'cell_size_check = on', 'mmap_size = 0', 'temp_store = memory'];
/** A writer that takes longer is not waited for. */
const lockWaitMs = 250;

/**
 * An nsys export, opened so that a hostile or live file can do no harm: read-only, with an untrusted schema, and only
 * ordinary tables visible (a view or virtual table with a known name is skipped). Everything is read in one
 * transaction, in its state at the opening. If a file is truncated or damaged, the rows before the damage are read.
 */
export class NsysDatabase {
  readonly #db: Database.Database;
  readonly #columns = new Map<string, ReadonlySet<string>>();
  readonly #opened: DatabaseFile;
  readonly #damagedTables = new Set<string>();
  /** Names in the schema that are not ordinary tables: views, virtual tables. */
  readonly others = new Set<string>();

  /** @throws TraceError `file/locked`, `file/unwritable`, `import/not-nsys`, `import/damaged` */
  constructor(readonly file: FileHead) {
    this.#opened = new DatabaseFile(file);
    const name = basename(file.path);
    try {
      this.#db = new Database(this.#opened.path, {readonly: true, fileMustExist: true, timeout: lockWaitMs});
    } catch (error) {
      this.#opened.remove();
      throw new TraceError('import/damaged', say('{0} cannot be opened as an SQLite database.', name), {cause: error});
    }
    try {
      for (const pragma of hostileFilePragmas) this.#db.pragma(pragma);
      this.#db.exec('begin');
      if (this.missingBytes > 0) this.#takeCutOff();
      this.#findTables();
      this.#db.pragma('writable_schema = off');
    } catch (error) {
      const missing = this.missingBytes;
      this.close();
      throw missing > 0 && codeOf(error).startsWith('SQLITE_CORRUPT')
        ? cutOff(name, missing, error)
        : openingError(error, name);
    }
    if (!this.has('StringIds', 'id', 'value')) {
      this.close();
      if (this.missingBytes > 0)
        throw new TraceError('import/damaged', say('{0} is cut off before its first table.', name));
      throw new TraceError(
        'import/not-nsys',
        say('{0} is an SQLite database, but not an Nsight Systems export.', name),
      );
    }
  }

  /** Number of bytes that the header counts but the file lacks. */
  get missingBytes(): number {
    const {head, bytes} = this.file;
    if (head.length < 100 || this.#opened.isCopy) return 0;
    // 1 stands for 65,536, which needs 17 bits.
    const pageBytes = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
    return Math.max(0, head.readUInt32BE(28) * pageBytes - bytes);
  }

  /** Whether SQLite reads a copy, whose pages differ from the file's. */
  get isCopy(): boolean {
    return this.#opened.isCopy;
  }

  /** Notes on files beside the database that were ignored. */
  get notes(): readonly TraceNote[] {
    return this.#opened.notes;
  }

  /** Tables that could not be read to their end. */
  get damagedTables(): readonly string[] {
    return [...this.#damagedTables];
  }

  /** Notes that a table was not read to its end. */
  passDamage(table: string): void {
    this.#damagedTables.add(table);
  }

  get tables(): readonly string[] {
    return [...this.#columns.keys()];
  }

  /** Returns the stored columns of a table, in order; empty if there is no such table. */
  columns(table: string): readonly string[] {
    return [...(this.#columns.get(table) ?? [])];
  }

  /** Returns whether there is a table with all of these columns. */
  has(table: string, ...columns: string[]): boolean {
    const known = this.#columns.get(table);
    return known !== undefined && columns.every(column => known.has(column));
  }

  /** Returns whether rows have SQLite's row id: a table may be made without it, or name a column like it. */
  hasRowIds(table: string): boolean {
    if (this.has(table, 'rowid')) return false;
    try {
      this.#db.prepare(`select rowid from "${table}"`);
      return true;
    } catch {
      return false;
    }
  }

  /** Returns `column` if the table has it, else an SQL literal. */
  column(table: string, column: string, otherwise: string): string {
    return this.has(table, column) ? column : otherwise;
  }

  /**
   * Yields the rows of a query of one table, one array each, up to a damaged page, which is recorded. Stops as well,
   * and records damage, at more rows than the file has room for: damaged pages may lead back to themselves.
   */
  *rows<Row extends unknown[]>(sql: string): Generator<Row> {
    let left = this.file.bytes / leastRowBytes;
    try {
      for (const row of this.#db.prepare<[], Row>(sql).raw().iterate()) {
        if (left-- < 0) {
          this.passDamage(tableOf(sql));
          return;
        }
        yield row;
      }
    } catch (error) {
      this.#passError(error, sql);
    }
  }

  /** Returns the first row of a query by column, with exact integers; none if it is on a damaged page. */
  row(sql: string, ...parameters: readonly (number | bigint)[]): Readonly<Record<string, unknown>> | undefined {
    try {
      return this.#db
        .prepare<unknown[], Record<string, unknown>>(sql)
        .safeIntegers()
        .get(...parameters);
    } catch (error) {
      this.#passError(error, sql);
      return undefined;
    }
  }

  /** Returns whether a table has no rows; false if it cannot be read. */
  isEmpty(table: string): boolean {
    try {
      const sql = `select 1 from "${table.replaceAll('"', '""')}" limit 1`;
      return this.#db.prepare(sql).get() === undefined;
    } catch {
      return false;
    }
  }

  /** Returns a quick estimate of a table's row count, for progress. */
  estimate(table: string): number {
    if (!this.has(table)) return 0;
    try {
      // A column may have this name, and hold anything.
      const last = this.#db.prepare<[]>(`select max(rowid) from "${table}"`).pluck().get();
      return typeof last === 'number' ? Math.floor(Math.max(0, Math.min(last, this.file.bytes / leastRowBytes))) : 0;
    } catch {
      // The table has no row ids or is damaged; reading it will report that.
      return 0;
    }
  }

  /**
   * Returns the location of a table's rows and its columns, so that its pages can be read without SQLite.
   *
   * @throws NotPlain if its rows are not all in the pages of one b-tree by row id
   */
  plainTable(table: string): PlainTable {
    const root = this.#db
      .prepare<[string], number>("select rootpage from sqlite_master where type = 'table' and name = ?")
      .pluck()
      .get(table);
    const withoutRowids = this.#pragma<{wr: number}>('table_list', table).some(({wr}) => wr !== 0);
    const columns = this.#pragma<ColumnInfo>('table_xinfo', table);
    const isGenerated = columns.some(({hidden}) => hidden !== 0);
    if (root === undefined || root < 2 || withoutRowids || isGenerated)
      throw new NotPlain(`${table} is not a plain table`);
    // An integer primary key is the row id, unless it has an index of its own (an old quirk of `desc`).
    const hasKeyIndex = this.#pragma<{origin: string}>('index_list', table).some(({origin}) => origin === 'pk');
    return {
      root,
      columns: columns.map(({name, pk, dflt_value: otherwise}) => ({name, isRowid: pk > 0 && !hasKeyIndex, otherwise})),
    };
  }

  close(): void {
    try {
      this.#db.close();
    } finally {
      this.#opened.remove();
    }
  }

  #pragma<Row>(pragma: string, table: string): Row[] {
    return this.#db.prepare<[string], Row>(`select * from pragma_${pragma}(?)`).all(table);
  }

  #findTables(): void {
    const tables = this.#db
      .prepare<[], [name: string, isTable: number]>(
        "select name, type = 'table' and sql like 'create table%' from sqlite_master where type in ('table', 'view')",
      )
      .raw()
      .all();
    for (const [table, isTable] of tables) {
      if (isTable === 0) {
        this.others.add(table);
        continue;
      }
      const columns = this.#db.prepare<[string], string>('select name from pragma_table_info(?)').pluck().all(table);
      // A name that is not UTF-8 is returned with this letter in it, and cannot be queried.
      this.#columns.set(table, new Set(columns.filter(column => !column.includes('\ufffd'))));
    }
  }

  /**
   * SQLite refuses a file that is shorter than its header says, unless the connection may write to the schema. It
   * compares the two when the transaction first reads, so the defensive mode is turned back on before the schema is
   * read. The only remaining effect is that tables beyond the cut are no error.
   */
  #takeCutOff(): void {
    this.#db.unsafeMode();
    try {
      this.#db.pragma('writable_schema = on');
      this.#db.pragma('user_version');
    } finally {
      this.#db.unsafeMode(false);
    }
  }

  #passError(error: unknown, sql: string): void {
    if (!codeOf(error).startsWith('SQLITE_CORRUPT')) throw error;
    this.passDamage(tableOf(sql));
  }
}

/** Returns the table of a query. */
function tableOf(sql: string): string {
  return /\bfrom\s+"?(\w+)/i.exec(sql)?.[1] ?? '';
}

/** Returns the error for a file whose list of tables is behind the cut: nothing else tells where its rows are. */
function cutOff(name: string, missingBytes: number, cause: unknown): TraceError {
  const text = counted(
    missingBytes,
    '{1} is cut off: {0} byte is missing, and with it the list of tables. Copy the file again, or export the report again.',
    '{1} is cut off: {0} bytes are missing, and with them the list of tables. Copy the file again, or export the report again.',
    name,
  );
  return new TraceError('import/damaged', text, {cause});
}

function openingError(error: unknown, name: string): TraceError {
  const code = codeOf(error);
  if (code.startsWith('SQLITE_BUSY')) {
    const text = say('{0} is locked: another program is writing it. Open it again when that program has ended.', name);
    return new TraceError('file/locked', text, {cause: error});
  }
  if (code === 'SQLITE_READONLY_ROLLBACK') {
    const text = say('{0} is incomplete: the journal of the program that wrote it is still beside it.', name);
    return new TraceError('import/damaged', text, {cause: error});
  }
  return new TraceError('import/damaged', say('{0} is not a readable SQLite database.', name), {cause: error});
}

function codeOf(error: unknown): string {
  return error instanceof Database.SqliteError ? error.code : '';
}
