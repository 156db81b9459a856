import Database, {type Database as Db, type Statement} from 'better-sqlite3';
import {TraceError} from '../core/base/errors.js';
import {noDetails, type ReportDetails} from '../core/figures/report-details.js';
import type {MemorySnapshot} from '../core/memory-snapshot/memory-snapshot.js';
import type {KnownLine} from '../core/source/known-lines.js';
import type {Trace} from '../core/trace/trace.js';
import {explains, readingStatement} from './check-statement.js';
import {schemaStatements, storedName, storedTables, textTable} from './database-schema.js';
import {insertRows} from './fill-table.js';
import {KnownStatements} from './known-statements.js';
import {tableSources} from './tables/table-sources.js';
import {Texts} from './texts.js';
import {usedColumns, type UsedColumns} from './used-columns.js';

/** A query that SQLite has parsed. */
export interface PreparedQuery {
  readonly statement: Statement<[], unknown[]>;
  /** Stored table → the columns to fill before it runs. */
  readonly wanted: UsedColumns;
}

const knownStatements = new KnownStatements();

/**
 * A trace as tables of SQLite, only in memory. A table is empty until a query reads it, and then only the columns that
 * the query reads are filled: for 3.6 million slices, that takes one second instead of ten.
 */
export class TraceDatabase {
  readonly #db: Db = new Database(':memory:');
  /** Stored table → the columns that are filled. */
  readonly #filled = new Map<string, ReadonlySet<string>>();
  #texts: Texts | null = null;
  #details = noDetails;

  /**
   * @param lines of the profile's sidecar
   * @param snapshot the file, if it is a memory snapshot
   */
  constructor(
    private readonly lines: readonly KnownLine[] = [],
    private readonly snapshot: MemorySnapshot | null = null,
  ) {
    // Temporary results of a query must not be written to the disk.
    this.#db.pragma('temp_store = MEMORY');
    this.#db.pragma('trusted_schema = OFF');
    this.#db.exec(schemaStatements().join(';\n'));
    this.#db.pragma('query_only = ON');
  }

  /** Adds details that were read again from the file. Tables that were filled without them are emptied. */
  addDetails(details: ReportDetails): void {
    const added = Object.entries(details).filter(([, value]) => value !== null);
    this.#details = {...this.#details, ...Object.fromEntries(added)};
    this.#forget();
  }

  /** Prepares a query. Errors are found without the trace. @throws TraceError `sql/…` */
  prepare(text: string): PreparedQuery {
    const known = knownStatements.get(text);
    const sql = known?.sql ?? readingStatement(text);
    const statement = this.#db.prepare<[], unknown[]>(sql);
    const wanted = known?.wanted ?? this.#wantedBy(sql, statement);
    if (!known) knownStatements.add(text, {sql, wanted});
    return {statement: statement.raw(true).safeIntegers(true), wanted};
  }

  /**
   * Returns the columns that a query reads, as `prepare` does, but faster for a known query. @throws TraceError `sql/…`
   */
  wantedBy(text: string): UsedColumns {
    return knownStatements.get(text)?.wanted ?? this.prepare(text).wanted;
  }

  /**
   * Fills the columns that a query reads and that are still empty. If anything was missing, SQLite compiles the
   * statements that were prepared before again when they run, because filling changes a pragma.
   */
  fill(trace: Trace, {wanted}: Pick<PreparedQuery, 'wanted'>, onRows: (rows: number, totalRows: number) => void): void {
    const missing = storedTables.flatMap(({name}) => {
      const columns = wanted.get(storedName(name));
      return columns && !this.#has(name, columns) ? [{name, columns}] : [];
    });
    if (missing.length === 0) return;
    const texts = (this.#texts ??= new Texts(trace.strings));
    this.#db.pragma('query_only = OFF');
    try {
      this.#db.transaction(() => {
        for (const {name, columns} of missing) this.#fillTable(trace, texts, name, columns, onRows);
        this.#addTexts(texts);
      })();
    } catch (error) {
      // After a rollback, the recorded state of filled columns is wrong.
      this.#forget();
      throw error;
    } finally {
      this.#db.pragma('query_only = ON');
    }
  }

  close(): void {
    this.#db.close();
  }

  #wantedBy(sql: string, {reader, readonly}: Statement<[], unknown[]>): UsedColumns {
    if (!reader || !readonly) {
      throw new TraceError('sql/not-allowed', 'Only statements that read can be run: a profile is never written to.');
    }
    return explains(sql) ? new Map() : usedColumns(this.#db, sql);
  }

  #has(table: string, columns: ReadonlySet<string>): boolean {
    const filled = this.#filled.get(table);
    return filled !== undefined && [...columns].every(column => filled.has(column));
  }

  #fillTable(
    trace: Trace,
    texts: Texts,
    table: string,
    columns: ReadonlySet<string>,
    onRows: (rows: number, totalRows: number) => void,
  ): void {
    const filled = this.#filled.get(table);
    const source = tableSources[table](trace, texts, {
      lines: this.lines,
      snapshot: this.snapshot,
      details: this.#details,
    });
    const all = new Set([...(filled ?? []), ...columns]);
    // To count rows, some column must be filled.
    const names = all.size > 0 ? [...all] : [storedTables.find(({name}) => name === table)?.columns[0].name ?? 'id'];
    if (filled) this.#db.exec(`DELETE FROM ${storedName(table)}`);
    if (storedHasId(table) && !names.includes('id')) names.unshift('id');
    const made = names.map(name => [name, source.columns[name]()] as const);
    insertRows(this.#db, storedName(table), source.length, made, rows => {
      onRows(rows, source.length);
    });
    this.#filled.set(table, all);
  }

  #addTexts(texts: Texts): void {
    const {numbers, textOf} = texts.takeUnwritten();
    const columns = [
      ['id', (at: number) => numbers[at]],
      ['text', (at: number) => textOf(numbers[at])],
    ] as const;
    insertRows(this.#db, textTable, numbers.length, columns, () => undefined);
  }

  #forget(): void {
    this.#filled.clear();
    this.#texts = null;
    const tables = [textTable, ...storedTables.map(({name}) => storedName(name))];
    this.#db.pragma('query_only = OFF');
    this.#db.exec(tables.map(table => `DELETE FROM ${table}`).join(';\n'));
    this.#db.pragma('query_only = ON');
  }
}

/** Tables with an id use it as SQLite's row id, and count from 0. */
function storedHasId(table: string): boolean {
  return storedTables.some(({name, columns}) => name === table && columns.some(column => column.name === 'id'));
}
