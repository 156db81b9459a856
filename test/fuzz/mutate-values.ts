import Database from 'better-sqlite3';
import {awkwardNumbers, type Below} from './mutate.js';

/** Values that SQLite accepts in any column, whatever its type. */
const values = [
  ...awkwardNumbers,
  'null',
  "''",
  "'text'",
  "x'00ff'",
  '1e308',
  '-1e308',
  '9223372036854775807',
  '(select group_concat(name, char(0)) from sqlite_schema)',
];

/** Returns a copy of a database in which a few values, of one row or of all rows of a table, are awkward. */
export function mutateValues(bytes: Buffer, below: Below): Buffer {
  const db = new Database(bytes);
  const columns = db
    .prepare<[], {from: string; column: string}>(
      `select t.name "from", c.name "column" from pragma_table_list t, pragma_table_info(t.name) c
       where t.type = 'table' and t.name not like 'sqlite%' and c.pk = 0 order by 1, 2`,
    )
    .all();
  for (let changes = below(5); changes >= 0; changes--) {
    const place = columns[below(columns.length)];
    if (!place) continue;
    const {from, column} = place;
    const row = `where rowid = (select rowid from "${from}" limit 1 offset ${String(below(6))})`;
    const value = values[below(values.length)] ?? '';
    db.exec(`update or ignore "${from}" set "${column}" = ${value} ${below(2) === 0 ? row : ''}`);
  }
  const result = db.serialize();
  db.close();
  return result;
}
