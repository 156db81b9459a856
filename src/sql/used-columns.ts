import type {Database} from 'better-sqlite3';

/** Table → its columns that a statement reads; a table whose rows are only counted has none. */
export type UsedColumns = ReadonlyMap<string, ReadonlySet<string>>;

interface Opcode {
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
}

/**
 * Returns the columns that a statement reads, according to SQLite's own program for it: views are resolved, and useless
 * joins are gone.
 *
 * `OpenRead` opens a table by its root page, `Column` reads one of a cursor's columns. The tables have no index except
 * the row's number, so the only other way to read is `RowData`, which takes all columns.
 *
 * @see SQLite, The Bytecode Engine, OpenRead and Column
 */
export function usedColumns(db: Database, statement: string): UsedColumns {
  const program = db.prepare<[], Opcode>(`EXPLAIN ${statement}`).all();
  const ofCursor = openedTables(db, program);
  const used = new Map<string, Set<string>>();
  for (const {table} of ofCursor.values()) used.set(table, new Set());
  for (const {opcode, p1, p2} of program) {
    const cursor = ofCursor.get(p1);
    if (!cursor) continue;
    const columns = used.get(cursor.table);
    if (opcode === 'Column') columns?.add(cursor.columns[p2]);
    if (opcode === 'RowData') for (const column of cursor.columns) columns?.add(column);
  }
  return used;
}

interface StoredTable {
  readonly table: string;
  readonly columns: readonly string[];
}

/** Returns the table that each cursor reads. */
function openedTables(db: Database, program: readonly Opcode[]): Map<number, StoredTable> {
  const tables = tablesByRootPage(db);
  const ofCursor = new Map<number, StoredTable>();
  for (const {opcode, p1, p2, p3} of program) {
    const table = opcode === 'OpenRead' && p3 === 0 ? tables.get(p2) : undefined;
    if (table) ofCursor.set(p1, table);
  }
  return ofCursor;
}

function tablesByRootPage(db: Database): Map<number, StoredTable> {
  const roots = db
    .prepare<[], {name: string; rootpage: number}>("SELECT name, rootpage FROM sqlite_schema WHERE type = 'table'")
    .all();
  const columnsOf = db.prepare<[string], {name: string}>('SELECT name FROM pragma_table_info(?)');
  return new Map(
    roots.map(({name, rootpage}) => [rootpage, {table: name, columns: columnsOf.all(name).map(row => row.name)}]),
  );
}
