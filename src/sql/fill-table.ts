import type {Database} from 'better-sqlite3';
import type {SqlValue} from './tables/table-source.js';

/** Rows per INSERT: saves three of four calls from JavaScript into SQLite. */
const rowsPerInsert = 32;

/**
 * Inserts rows into a table.
 *
 * @param columns the columns to fill, with the value of each in a row; others stay null
 */
export function insertRows(
  db: Database,
  table: string,
  length: number,
  columns: readonly (readonly [name: string, value: (row: number) => SqlValue])[],
  onRows: (rows: number) => void,
): void {
  if (columns.length === 0) throw new RangeError(`${table} has no column to fill.`);
  const names = columns.map(([name]) => name).join(', ');
  const one = `(${columns.map(() => '?').join(', ')})`;
  const statement = (rows: number) =>
    db.prepare(`INSERT INTO ${table} (${names}) VALUES ${new Array<string>(rows).fill(one).join(', ')}`);
  const many = statement(rowsPerInsert);
  const single = statement(1);
  const values = new Array<SqlValue>(rowsPerInsert * columns.length).fill(null);
  const valueOf = columns.map(([, value]) => value);
  const whole = length - (length % rowsPerInsert);
  // One array of values, reused for all rows.
  for (let first = 0; first < whole; first += rowsPerInsert) {
    let at = 0;
    for (let row = first; row < first + rowsPerInsert; row++) {
      for (const value of valueOf) values[at++] = value(row);
    }
    many.run(values);
    if ((first & 0xffff) === 0) onRows(first);
  }
  for (let row = whole; row < length; row++) single.run(valueOf.map(value => value(row)));
}
