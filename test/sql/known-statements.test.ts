import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {noDetails} from '../../src/core/figures/report-details.js';
import {factQueries} from '../../src/core/findings/find.js';
import {schemaStatements, storedName, storedTables} from '../../src/sql/database-schema.js';
import {insertRows} from '../../src/sql/fill-table.js';
import {KnownStatements, usedByAll} from '../../src/sql/known-statements.js';
import {TraceDatabase} from '../../src/sql/trace-database.js';
import {usedColumns} from '../../src/sql/used-columns.js';
import {sqlRows} from '../support/sql-rows.js';
import {traceFromText} from '../support/trace-from-text.js';

function withTables(): Database.Database {
  const db = new Database(':memory:');
  db.exec(schemaStatements().join(';\n'));
  return db;
}

/** A text and the statement in it. */
const spaced = (sql: string) => [`  ${sql} ; `, {sql, wanted: new Map([['_slices', new Set(['name'])]])}] as const;

describe('what a statement reads', () => {
  it('is the same in every database, whatever its rows', () => {
    const empty = withTables();
    const full = withTables();
    for (const {name, columns} of storedTables) {
      const values = columns.map(column => [column.name, (row: number) => row] as const);
      insertRows(full, storedName(name), 5000, values, () => undefined);
    }
    for (const sql of factQueries()) expect(usedColumns(full, sql)).toEqual(usedColumns(empty, sql));
  });

  it('stays right in a second database of another trace, and after the tables were filled and emptied', async () => {
    const sql = 'SELECT name, duration_ns FROM kernels ORDER BY id';
    const fresh = usedColumns(withTables(), sql);
    const ask = async (picture: string, database: TraceDatabase) => {
      expect(database.wantedBy(sql)).toEqual(fresh);
      const rows = await sqlRows(traceFromText(picture), sql, database);
      expect(database.prepare(sql).wanted).toEqual(fresh);
      return rows.map(row => row['duration_ns']);
    };
    const first = new TraceDatabase();
    expect(await ask('stream 7           AAA BB', first)).toEqual([3000, 2000]);
    expect(await ask('stream 7           A', new TraceDatabase())).toEqual([1000]);
    first.addDetails(noDetails);
    expect(await ask('stream 7           AAA BB', first)).toEqual([3000, 2000]);
  });

  it.each(['CREATE VIEW v AS SELECT 1', 'CREATE TEMP TABLE kernels (id)', "ATTACH ':memory:' AS other"])(
    'cannot change, because %s is refused',
    sql => {
      const database = new TraceDatabase();
      expect(() => database.wantedBy(sql)).toThrow('Only SELECT, WITH, VALUES and EXPLAIN can be run');
      // What was refused once is not known: it is refused again.
      expect(() => database.prepare(sql)).toThrow('Only SELECT, WITH, VALUES and EXPLAIN can be run');
    },
  );

  it('of several statements is what any of them reads', () => {
    const [, {wanted}] = spaced('SELECT name FROM slices');
    const other = new Map([
      ['_slices', new Set(['id'])],
      ['_notes', new Set<string>()],
    ]);
    expect(usedByAll([wanted, other])).toEqual(
      new Map([
        ['_slices', new Set(['name', 'id'])],
        ['_notes', new Set()],
      ]),
    );
  });
});

describe('KnownStatements', () => {
  it('forgets the statements that were not asked for longest', () => {
    const known = new KnownStatements();
    const [asked, others] = [
      spaced('SELECT name'),
      Array.from({length: 600}, (_, at) => spaced(`SELECT ${String(at)}`)),
    ];
    known.add(...asked);
    for (const other of others) {
      known.add(...other);
      expect(known.get(asked[0])).toBe(asked[1]);
    }
    expect(others.filter(([text]) => known.get(text) !== undefined)).toEqual(others.slice(-511));
  });

  it('does not keep a very long text', () => {
    const known = new KnownStatements();
    const [text, statement] = spaced(`SELECT '${'x'.repeat(20_000)}'`);
    known.add(text, statement);
    expect(known.get(text)).toBeUndefined();
  });
});
