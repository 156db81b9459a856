import {truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {StringTable} from '../../../src/core/table/string-table.js';
import {readFileHead} from '../../../src/importers/reading/file-head.js';
import {NsysDatabase} from '../../../src/importers/nsys/database/nsys-database.js';
import {NotPlain} from '../../../src/importers/sqlite/not-plain.js';
import {integer, rowsPerBatch, text} from '../../../src/importers/sqlite/table-source.js';
import {ThreadedTableSource} from '../../../src/importers/sqlite/threaded-table-source.js';
import {project, temporaryFolder} from '../../support/project.js';

/** The build makes it; `npm test` builds first. */
const program = join(project, 'dist', 'pages.cjs');
const folder = temporaryFolder();
/** Several times what all batches that take turns hold. */
const rowCount = 40 * rowsPerBatch + 7;
const path = join(folder, 'many.sqlite');
const requests = {number: integer('number'), name: text('name')};
makeDatabase(path);

function makeDatabase(target: string): void {
  const db = new Database(target);
  const rows = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${String(rowCount)})`;
  db.exec(`create table StringIds (id integer primary key, value text);
    create table few (number integer, name text);
    insert into few values (1, 'first'), (2, 'name 3'), (3, null);
    create table many (number integer, name text);
    insert into many ${rows} select 3 * i, case i % 7 when 0 then null else 'name ' || (i % 5000) end from n;`);
  db.close();
}

async function withSource<T>(
  use: (source: ThreadedTableSource, strings: StringTable) => T,
  {file = path, threadProgram = program, patienceMs = 20_000} = {},
): Promise<T> {
  const head = await readFileHead(file);
  const db = new NsysDatabase(head);
  const strings = new StringTable();
  const source = new ThreadedTableSource(threadProgram, head, table => db.plainTable(table), strings, patienceMs);
  try {
    return use(source, strings);
  } finally {
    source.close();
    db.close();
  }
}

function rowsOf(source: ThreadedTableSource, table: string, strings: StringTable): [number, string][] {
  const rows: [number, string][] = [];
  for (const {length, columns} of source.read(table, requests)) {
    for (let row = 0; row < length; row++) {
      rows.push([columns.number[row] ?? NaN, strings.get(columns.name[row] ?? -1)]);
    }
  }
  return rows;
}

const fewRows = [
  [1, 'first'],
  [2, 'name 3'],
  [3, ''],
];

function expectMany(rows: readonly [number, string][]): void {
  expect(rows).toHaveLength(rowCount);
  const wrong = rows.find(([number, name], at) => {
    const i = at + 1;
    return number !== 3 * i || name !== (i % 7 === 0 ? '' : `name ${String(i % 5000)}`);
  });
  expect(wrong).toBeUndefined();
}

describe('ThreadedTableSource', () => {
  it('reads tables one after the other, with the same numbers for the same texts', async () => {
    await withSource((source, strings) => {
      expect(rowsOf(source, 'few', strings)).toEqual(fewRows);
      expectMany(rowsOf(source, 'many', strings));
      expect(rowsOf(source, 'few', strings)).toEqual(fewRows);
      expect(strings.length).toBe(5002);
    });
  });

  it('reads a table while it reads another one', async () => {
    await withSource((source, strings) => {
      let rows = 0;
      for (const {length} of source.read('many', requests)) {
        if (rows === 0) expect(rowsOf(source, 'few', strings)).toEqual(fewRows);
        rows += length;
      }
      expect(rows).toBe(rowCount);
    });
  });

  it('can be left at any time', async () => {
    await withSource((source, strings) => {
      for (let left = 0; left < 20; left++) {
        let batches = 0;
        for (const {length} of source.read('many', requests)) {
          expect(length).toBe(rowsPerBatch);
          if (batches++ === left % 10) break;
        }
      }
      expectMany(rowsOf(source, 'many', strings));
    });
  });

  it('says where pages do not tell all, after the rows before', async () => {
    const cut = join(folder, 'cut.sqlite');
    makeDatabase(cut);
    let rows = 0;
    const reading = withSource(
      (source, strings) => {
        expect(rowsOf(source, 'few', strings)).toEqual(fewRows);
        for (const {length} of source.read('many', requests)) {
          if (rows === 0) truncateSync(cut, 1 << 20);
          rows += length;
        }
      },
      {file: cut},
    );
    await expect(reading).rejects.toThrow(new NotPlain('the file became shorter'));
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(rowCount);
  });

  it('does not wait for ever where its thread has been ended', async () => {
    const ending = join(folder, 'ending.cjs');
    writeFileSync(ending, 'process.exit(1)');
    const reading = withSource((source, strings) => rowsOf(source, 'few', strings), {
      threadProgram: ending,
      patienceMs: 300,
    });
    await expect(reading).rejects.toThrow(new NotPlain('the thread that reads pages does not answer'));
  });
});
