import {copyFileSync, existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import Database from 'better-sqlite3';
import {TraceError} from '../../core/errors.js';
import type {FileHead} from '../importer.js';

/** Header bytes 18 and 19 hold this in a database that uses a write-ahead log. */
const walVersion = 2;

/**
 * An nsys export, opened so that a hostile or live file can do no harm: read-only, with an untrusted schema, and only
 * ordinary tables visible (a view or virtual table under a known name is passed over).
 */
export class NsysDatabase {
  readonly #db: Database.Database;
  readonly #columns = new Map<string, ReadonlySet<string>>();
  readonly #copyFolder: string | null;

  /** @throws TraceError `import/not-nsys`, `import/damaged` */
  constructor(readonly file: FileHead) {
    this.#copyFolder = usesWal(file) ? copyWithLog(file.path) : null;
    const name = basename(file.path);
    try {
      const path = this.#copyFolder === null ? file.path : join(this.#copyFolder, 'copy.sqlite');
      this.#db = new Database(path, {readonly: true, fileMustExist: true});
    } catch (error) {
      this.#removeCopy();
      throw new TraceError('import/damaged', `${name} cannot be opened as an SQLite database.`, {cause: error});
    }
    try {
      this.#db.pragma('trusted_schema = off');
      this.#findTables();
    } catch (error) {
      this.close();
      throw new TraceError('import/damaged', `${name} is not a readable SQLite database.`, {cause: error});
    }
    if (!this.has('StringIds')) {
      this.close();
      throw new TraceError('import/not-nsys', `${name} is an SQLite database, but not an Nsight Systems export.`);
    }
  }

  get tables(): readonly string[] {
    return [...this.#columns.keys()];
  }

  /** Whether there is such a table, with all of these columns. */
  has(table: string, ...columns: string[]): boolean {
    const known = this.#columns.get(table);
    return known !== undefined && columns.every(column => known.has(column));
  }

  /** `column` where the table has it, else an SQL literal. */
  column(table: string, column: string, otherwise: string): string {
    return this.has(table, column) ? column : otherwise;
  }

  /** The rows of a query, one array each, read as they are asked for. */
  rows<Row extends unknown[]>(sql: string): IterableIterator<Row> {
    return this.#db.prepare<[], Row>(sql).raw().iterate();
  }

  /** The first row of a query by column, whole numbers with all their digits. */
  row(sql: string, parameter: number | bigint): Readonly<Record<string, unknown>> | undefined {
    return this.#db.prepare<[number | bigint], Record<string, unknown>>(sql).safeIntegers().get(parameter);
  }

  count(table: string): number {
    if (!this.has(table)) return 0;
    return this.#db.prepare<[], number>(`select count(*) from "${table}"`).pluck().get() ?? 0;
  }

  /** Whether a table has no rows; false where it cannot be read. */
  isEmpty(table: string): boolean {
    try {
      return (
        this.#db
          .prepare<[], number>(`select 1 from "${table.replaceAll('"', '""')}"`)
          .pluck()
          .get() === undefined
      );
    } catch {
      return false;
    }
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
      .prepare<[], string>("select name from sqlite_master where type = 'table' and sql not like 'create virtual%'")
      .pluck()
      .all();
    for (const table of tables) {
      const columns = this.#db.prepare<[string], string>('select name from pragma_table_info(?)').pluck().all(table);
      this.#columns.set(table, new Set(columns));
    }
  }

  #removeCopy(): void {
    if (this.#copyFolder !== null) rmSync(this.#copyFolder, {recursive: true, force: true});
  }
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
