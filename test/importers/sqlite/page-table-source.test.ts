import {closeSync, copyFileSync, existsSync, openSync, readFileSync, rmSync, writeFileSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {StringTable} from '../../../src/core/table/string-table.js';
import {readFileHead} from '../../../src/importers/reading/file-head.js';
import {NsysDatabase} from '../../../src/importers/nsys/database/nsys-database.js';
import {processKeyOf, threadIdOf} from '../../../src/importers/nsys/database/nsys-identity.js';
import {NotPlain} from '../../../src/importers/sqlite/not-plain.js';
import {PageTableSource} from '../../../src/importers/sqlite/page-table-source.js';
import {SqlTableSource} from '../../../src/importers/sqlite/sql-table-source.js';
import {integer, text, type TableSource} from '../../../src/importers/sqlite/table-source.js';
import {ThreadedTableSource} from '../../../src/importers/sqlite/threaded-table-source.js';
import {project, temporaryFolder} from '../../support/project.js';
import {seededRandom} from '../../support/random.js';

/** The build makes it; `npm test` builds first. */
const program = join(project, 'dist', 'pages.cjs');
const folder = temporaryFolder();
let made = 0;

/** A database with `StringIds`, which makes it an export, and what `fill` puts there. */
function database(fill: (db: Database.Database) => void, path = newPath()): string {
  const db = new Database(path);
  fill(db);
  db.exec('create table if not exists StringIds (id integer primary key, value text)');
  db.close();
  return path;
}

const newPath = (): string => join(folder, `${String(made++)}.sqlite`);

const requests = {
  a: integer('a'),
  b: integer('b'),
  high: processKeyOf('c'),
  low: threadIdOf('c'),
  name: text('t'),
  none: integer('not there'),
};

/** The rows of table `t` as [rowid, a, b, high, low, text, absent], from the pages and through SQLite. */
async function bothWays(path: string, nextTo?: () => void): Promise<{pages: unknown[][]; sql: unknown[][]}> {
  const file = await readFileHead(path);
  const db = new NsysDatabase(file);
  nextTo?.();
  const [strings, sqlStrings] = [new StringTable(), new StringTable()];
  const pages = new PageTableSource(file, table => db.plainTable(table), strings);
  try {
    return {pages: rowsOf(pages, strings), sql: rowsOf(new SqlTableSource(db, sqlStrings), sqlStrings)};
  } finally {
    pages.close();
    db.close();
  }
}

function rowsOf(source: TableSource, strings: StringTable): unknown[][] {
  const rows: unknown[][] = [];
  for (const {length, rowid, columns} of source.read('t', requests)) {
    const {a, b, high, low, name, none} = columns;
    for (let i = 0; i < length; i++) {
      rows.push([rowid[i], a[i], b[i], high[i], low[i], strings.get(name[i] ?? 0), none[i]]);
    }
  }
  return rows;
}

/** The same from the pages, read in a thread. */
async function inThread(path: string): Promise<unknown[][]> {
  const file = await readFileHead(path);
  const db = new NsysDatabase(file);
  const strings = new StringTable();
  const thread = new ThreadedTableSource(program, file, table => db.plainTable(table), strings);
  try {
    return rowsOf(thread, strings);
  } finally {
    thread.close();
    db.close();
  }
}

async function expectSame(path: string, count: number): Promise<unknown[][]> {
  const {pages, sql} = await bothWays(path);
  expect(pages).toEqual(sql);
  expect(await inThread(path)).toEqual(pages);
  expect(pages).toHaveLength(count);
  return pages;
}

const widths = [1n, 8n, 16n, 24n, 32n, 48n, 63n];

/** Rows with integers of all widths, texts from none to several pages long, and nulls. */
function fillRandomly(db: Database.Database, rows: number, seed: number, longestText = 9000): void {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const whole = () => {
    const value = BigInt.asIntN(64, BigInt(below(2 ** 32)) * 2n ** 32n + BigInt(below(2 ** 32)));
    return below(9) === 0 ? null : value >> (63n - (widths[below(widths.length)] ?? 1n));
  };
  const name = () => (below(5) === 0 ? null : 'nämé€'.repeat(below(below(9) === 0 ? longestText / 5 : 9)));
  db.exec('create table t (a integer, x text, b integer, c integer, t text, y)');
  const insert = db.prepare('insert into t (rowid, a, x, b, c, t, y) values (?, ?, ?, ?, ?, ?, ?)');
  let rowid = -5n;
  db.transaction(() => {
    for (let i = 0; i < rows; i++) {
      rowid += BigInt(1 + below(i % 100 === 0 ? 2 ** 30 : 3));
      insert.run(rowid, whole(), below(3) === 0 ? 'x'.repeat(below(300)) : null, whole(), whole(), name(), whole());
    }
  })();
}

describe('PageTableSource.read(table, requests) gives the rows that SQLite gives', () => {
  it.each([512, 1024, 2048, 4096, 8192, 16384, 32768, 65536])('in pages of %i bytes', async pageBytes => {
    const path = database(db => {
      db.pragma(`page_size = ${String(pageBytes)}`);
      fillRandomly(db, 3000, pageBytes);
    });
    await expectSame(path, 3000);
  });

  it('over many batches, whose last is not full', async () => {
    await expectSame(
      database(db => {
        fillRandomly(db, 20_001, 7, 40);
      }),
      20_001,
    );
  });

  it('of texts longer than many pages', async () => {
    const path = database(db => {
      db.pragma('page_size = 512');
      fillRandomly(db, 300, 3, 100_000);
    });
    await expectSame(path, 300);
  });

  it('of an empty table, and of one that was emptied', async () => {
    await expectSame(
      database(db => db.exec('create table t (a integer)')),
      0,
    );
    const emptied = database(db => {
      fillRandomly(db, 2000, 1);
      db.exec('delete from t');
    });
    await expectSame(emptied, 0);
  });

  it('after rows were deleted and others moved, with free pages among them', async () => {
    const path = database(db => {
      fillRandomly(db, 4000, 11);
      db.exec('delete from t where rowid % 3 = 0; update t set t = null, x = x || x where rowid % 7 = 1');
      db.exec('create table other (v); insert into other select hex(randomblob(200)) from t; drop table other');
      db.exec('insert into t (a, b) select b, a from t limit 500');
    });
    const {pages, sql} = await bothWays(path);
    expect(pages).toEqual(sql);
  });

  it('where bytes are kept free at the end of each page', async () => {
    const path = newPath();
    const empty = new Database(path);
    empty.exec('create table gone (x); drop table gone; vacuum');
    empty.close();
    const bytes = readFileSync(path);
    const reserved = 48;
    bytes[20] = reserved;
    bytes.writeUInt16BE(bytes.readUInt16BE(16) - reserved, 105);
    writeFileSync(path, bytes);
    database(db => {
      fillRandomly(db, 2000, 5);
    }, path);
    expect(readFileSync(path)[20]).toBe(reserved);
    await expectSame(path, 2000);
  });

  it('with columns that were added to rows written before', async () => {
    const path = database(db => {
      db.exec(`create table t (a integer); insert into t values (1), (-2);
        alter table t add column b integer default -77; alter table t add column c integer;
        alter table t add column t text; insert into t values (3, null, 5, 'five')`);
    });
    expect(await expectSame(path, 3)).toEqual([
      [1, 1, -77, NaN, NaN, '', NaN],
      [2, -2, -77, NaN, NaN, '', NaN],
      [3, 3, NaN, 0, 5, 'five', NaN],
    ]);
  });

  it('where a column is another name of the row id', async () => {
    const path = database(db => {
      db.exec(
        "create table t (b integer, a integer primary key, t text); insert into t values (9, 400, 'x'), (8, -3, '')",
      );
    });
    expect(await expectSame(path, 2)).toEqual([
      [-3, -3, 8, NaN, NaN, '', NaN],
      [400, 400, 9, NaN, NaN, 'x', NaN],
    ]);
  });

  it('where an integer primary key is none', async () => {
    const path = database(db => {
      db.exec('create table t (a integer primary key desc, b integer); insert into t values (400, 1), (3, 2)');
    });
    expect((await expectSame(path, 2)).map(([rowid, a]) => [rowid, a])).toEqual([
      [1, 400],
      [2, 3],
    ]);
  });

  it('of 64-bit ids, whose halves are exact', async () => {
    const path = database(db => {
      db.exec(`create table t (c integer);
        insert into t values (0x7fffffffffffffff), (-0x7fffffffffffffff - 1), (-1), (0x0102030405060708), (0), (1), (null)`);
    });
    expect((await expectSame(path, 7)).map(([, , , high, low]) => [high, low])).toEqual([
      [2 ** 39 - 1, 2 ** 24 - 1],
      [-(2 ** 39), 0],
      [-1, 2 ** 24 - 1],
      [0x0102030405, 0x060708],
      [0, 0],
      [0, 1],
      [NaN, NaN],
    ]);
  });

  it('of texts in any bytes; what is no text is empty', async () => {
    const path = database(db => {
      db.exec(`create table t (t); insert into t values (cast(x'61ff62c3' as text)), (cast(x'610062' as text)), (x'6162'),
        (5), (1.5), (null), ('é'), ('')`);
    });
    expect((await expectSame(path, 8)).map(row => row[5])).toEqual(['a\ufffdb\ufffd', 'a\0b', '', '', '', '', 'é', '']);
  });
});

/** What pages do not tell rightly, or not at all. */
const unusual: readonly (readonly [what: string, sql: string])[] = [
  ['without row ids', 'create table t (a integer primary key, b) without rowid; insert into t values (1, 2)'],
  ['with generated columns', 'create table t (a integer, b integer as (a + 1)); insert into t (a) values (1)'],
  [
    'with a default to be worked out',
    'create table t (x); insert into t values (1); alter table t add a integer default 0x10',
  ],
  ['with texts where numbers should be', "create table t (a integer); insert into t values ('x')"],
  ['with fractions where whole numbers should be', 'create table t (a); insert into t values (1.5)'],
  ['beside pointer maps', "pragma auto_vacuum = 1; create table t (t text); insert into t values ('x')"],
  ['in UTF-16', "pragma encoding = 'UTF-16'; create table t (t text); insert into t values ('x')"],
];

describe('PageTableSource leaves to SQLite', () => {
  it.each(unusual)('a table %s', async (_what, sql) => {
    await expect(bothWays(database(db => db.exec(sql)))).rejects.toBeInstanceOf(NotPlain);
  });

  it('a database with a write-ahead log', async () => {
    const path = database(db => {
      db.pragma('journal_mode = wal');
      fillRandomly(db, 10, 1);
    });
    await expect(bothWays(path)).rejects.toBeInstanceOf(NotPlain);
  });

  it('a database that was left in the middle of a change', async () => {
    const path = database(db => {
      fillRandomly(db, 10, 1);
    });
    await expect(
      bothWays(path, () => {
        writeFileSync(`${path}-journal`, '');
      }),
    ).rejects.toBeInstanceOf(NotPlain);
  });

  it('a file that is not as long as it says', async () => {
    const path = database(db => {
      fillRandomly(db, 500, 1);
    });
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(4096)]));
    await expect(bothWays(path)).rejects.toBeInstanceOf(NotPlain);
  });
});

describe('PageTableSource.read of damaged pages', () => {
  it('gives what SQLite gives, or leaves it to SQLite', async () => {
    const whole = database(db => {
      db.pragma('page_size = 512');
      fillRandomly(db, 400, 9, 2000);
    });
    const random = seededRandom(20);
    const below = (limit: number) => Math.floor(random() * limit);
    const bytes = readFileSync(whole).length;
    const outcomes = {same: 0, left: 0, refused: 0};
    for (let round = 0; round < 400; round++) {
      const path = join(folder, 'damaged.sqlite');
      copyFileSync(whole, path);
      const fd = openSync(path, 'r+');
      for (let i = below(6); i >= 0; i--) writeSync(fd, Buffer.of(below(256)), 0, 1, 1024 + below(bytes - 1024));
      closeSync(fd);
      outcomes[await outcomeOf(path)]++;
      rmSync(path);
      expect(existsSync(`${path}-journal`)).toBe(false);
    }
    expect(outcomes.same).toBeGreaterThan(50);
    expect(outcomes.left).toBeGreaterThan(50);
  });

  it('leaves a cell that lies behind its page to SQLite, also on the last page that is in memory', async () => {
    const pageBytes = 32_768;
    const whole = readFileSync(
      database(db => {
        db.pragma(`page_size = ${String(pageBytes)}`);
        db.exec('create table t (a integer, t text)');
        // What stands behind all memory reads as row 0, which is in order behind these.
        const insert = db.prepare('insert into t (rowid, t) values (?, ?)');
        for (let i = 0; i < 80; i++) insert.run(i - 100, 'x'.repeat(30_000));
      }),
    );
    const leaves = Array.from({length: whole.length / pageBytes}, (_, page) => page * pageBytes).filter(
      page => page > 0 && whole[page] === 13 && whole.readUInt16BE(page + 3) === 1,
    );
    expect(leaves.length).toBeGreaterThan(70);
    for (const leaf of leaves) {
      const path = newPath();
      const bytes = Buffer.from(whole);
      bytes.writeUInt16BE(0xfff0, leaf + 8);
      writeFileSync(path, bytes);
      expect(await outcomeOf(path)).toBe('left');
      rmSync(path);
    }
  });

  it('ends where pages lead back to themselves, or to each other', async () => {
    const whole = readFileSync(
      database(db => {
        db.pragma('page_size = 512');
        fillRandomly(db, 400, 2, 40);
      }),
    );
    const interior = Array.from({length: whole.length / 512}, (_, page) => page).filter(
      page => page > 0 && whole[page * 512] === 5,
    );
    expect(interior.length).toBeGreaterThan(0);
    for (const page of interior) {
      // A child page of no number is no end of the table.
      for (const target of [...interior, -1]) {
        const path = newPath();
        const bytes = Buffer.from(whole);
        bytes.writeUInt32BE(target + 1, page * 512 + 8);
        writeFileSync(path, bytes);
        if (target === page || target === -1) expect(await outcomeOf(path)).toBe('left');
        else await outcomeOf(path);
      }
    }
  });
});

/** Fails where the pages tell other rows than SQLite. */
async function outcomeOf(path: string): Promise<'same' | 'left' | 'refused'> {
  try {
    const {pages, sql} = await bothWays(path);
    expect(pages).toEqual(sql);
    return 'same';
  } catch (error) {
    if (error instanceof NotPlain) return 'left';
    if (error instanceof Error && /^(SqliteError|TraceError)$/.test(error.name)) return 'refused';
    throw error;
  }
}
