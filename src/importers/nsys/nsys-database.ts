import {copyFileSync, existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import Database from 'better-sqlite3';
import {TraceError} from '../../core/errors.js';
import type {FileHead} from '../importer.js';

/** Header bytes 18 and 19 hold this in a database that uses a write-ahead log. */
const walVersion = 2;
/** Somebody who writes for longer than this is not waited for. */
const lockWaitMs = 250;

/**
 * An nsys export, opened so that a hostile or live file can do no harm: read-only, with an untrusted schema, and only
 * ordinary tables visible (a view or virtual table under a known name is passed over). All is read as it was at the
 * opening: one transaction. Of a file that is cut off or damaged the rows before that are read.
 */
export class NsysDatabase {
  readonly #db: Database.Database;
  readonly #columns = new Map<string, ReadonlySet<string>>();
  readonly #copyFolder: string | null;
  readonly #damagedTables = new Set<string>();
  /** Names in the schema that are no ordinary tables: views, virtual tables. */
  readonly others = new Set<string>();

  /** @throws TraceError `file/locked`, `import/not-nsys`, `import/damaged` */
  constructor(readonly file: FileHead) {
    this.#copyFolder = usesWal(file) ? copyWithLog(file.path) : null;
    const name = basename(file.path);
    try {
      const path = this.#copyFolder === null ? file.path : join(this.#copyFolder, 'copy.sqlite');
      this.#db = new Database(path, {readonly: true, fileMustExist: true, timeout: lockWaitMs});
    } catch (error) {
      this.#removeCopy();
      throw new TraceError('import/damaged', `${name} cannot be opened as an SQLite database.`, {cause: error});
    }
    try {
      this.#db.pragma('trusted_schema = off');
      if (this.missingBytes > 0) this.#takeCutOff();
      this.#db.exec('begin');
      this.#findTables();
    } catch (error) {
      this.close();
      throw openingError(error, name);
    }
    if (!this.has('StringIds', 'id', 'value')) {
      this.close();
      if (this.missingBytes > 0) throw new TraceError('import/damaged', `${name} is cut off before its first table.`);
      throw new TraceError('import/not-nsys', `${name} is an SQLite database, but not an Nsight Systems export.`);
    }
  }

  /** How many bytes of the file the header counts, and are not there. */
  get missingBytes(): number {
    const {head, bytes} = this.file;
    if (head.length < 100 || this.#copyFolder !== null) return 0;
    // 1 stands for 65,536, which needs 17 bits.
    const pageBytes = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
    return Math.max(0, head.readUInt32BE(28) * pageBytes - bytes);
  }

  /** Tables that could not be read to their end. */
  get damagedTables(): readonly string[] {
    return [...this.#damagedTables];
  }

  get tables(): readonly string[] {
    return [...this.#columns.keys()];
  }

  /** The stored columns of a table, in its order; none where there is no such table. */
  columns(table: string): readonly string[] {
    return [...(this.#columns.get(table) ?? [])];
  }

  /** Whether there is such a table, with all of these columns. */
  has(table: string, ...columns: string[]): boolean {
    const known = this.#columns.get(table);
    return known !== undefined && columns.every(column => known.has(column));
  }

  /** Whether rows have the number that SQLite gives them: a table may be made without, or call a column so. */
  hasRowIds(table: string): boolean {
    if (this.has(table, 'rowid')) return false;
    try {
      this.#db.prepare(`select rowid from "${table}"`);
      return true;
    } catch {
      return false;
    }
  }

  /** `column` where the table has it, else an SQL literal. */
  column(table: string, column: string, otherwise: string): string {
    return this.has(table, column) ? column : otherwise;
  }

  /** The rows of a query, one array each, read as they are asked for: up to a damaged page, which is remembered. */
  *rows<Row extends unknown[]>(sql: string): IterableIterator<Row> {
    try {
      yield* this.#db.prepare<[], Row>(sql).raw().iterate();
    } catch (error) {
      this.#passDamage(error, sql);
    }
  }

  /** The first row of a query by column, whole numbers with all their digits; none where it stands on a damaged page. */
  row(sql: string, parameter: number | bigint): Readonly<Record<string, unknown>> | undefined {
    try {
      return this.#db.prepare<[number | bigint], Record<string, unknown>>(sql).safeIntegers().get(parameter);
    } catch (error) {
      this.#passDamage(error, sql);
      return undefined;
    }
  }

  count(table: string, where = '1'): number {
    if (!this.has(table)) return 0;
    for (const [count] of this.rows<[number]>(`select count(*) from "${table}" where ${where}`)) return count;
    return 0;
  }

  /** About how many rows a table has, at once: what progress is told against. */
  estimate(table: string): number {
    if (!this.has(table)) return 0;
    try {
      return this.#db.prepare<[], number>(`select max(rowid) from "${table}"`).pluck().get() ?? 0;
    } catch {
      // A table without row ids.
      return this.count(table);
    }
  }

  close(): void {
    this.#db.close();
    this.#removeCopy();
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
      this.#columns.set(table, new Set(columns));
    }
  }

  /** SQLite refuses a file that is shorter than its header says, but for one who could mend the schema. */
  #takeCutOff(): void {
    this.#db.unsafeMode();
    this.#db.pragma('writable_schema = on');
  }

  #passDamage(error: unknown, sql: string): void {
    if (!codeOf(error).startsWith('SQLITE_CORRUPT')) throw error;
    this.#damagedTables.add(/\bfrom\s+"?(\w+)/i.exec(sql)?.[1] ?? '');
  }

  #removeCopy(): void {
    if (this.#copyFolder !== null) rmSync(this.#copyFolder, {recursive: true, force: true});
  }
}

function openingError(error: unknown, name: string): TraceError {
  const code = codeOf(error);
  if (code.startsWith('SQLITE_BUSY')) {
    const text = `${name} is locked: another program is writing it. Open it again when that has ended.`;
    return new TraceError('file/locked', text, {cause: error});
  }
  if (code === 'SQLITE_READONLY_ROLLBACK') {
    const text = `${name} was not written to its end: the journal of the program that wrote it is still beside it.`;
    return new TraceError('import/damaged', text, {cause: error});
  }
  return new TraceError('import/damaged', `${name} is not a readable SQLite database.`, {cause: error});
}

function codeOf(error: unknown): string {
  return error instanceof Database.SqliteError ? error.code : '';
}

function usesWal({head}: FileHead): boolean {
  return head[18] === walVersion || head[19] === walVersion;
}

/** Opening a database with a write-ahead log leaves files beside it, even read-only; so a copy is opened. */
function copyWithLog(path: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-'));
  copyFileSync(path, join(folder, 'copy.sqlite'));
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, join(folder, 'copy.sqlite-wal'));
  return folder;
}
