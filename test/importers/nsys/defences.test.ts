import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {afterEach, expect, it, vi} from 'vitest';
import {readFileHead} from '../../../src/importers/reading/file-head.js';
import {NsysDatabase} from '../../../src/importers/nsys/database/nsys-database.js';
import {writeNsysDatabase} from '../../support/nsys-database.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();

afterEach(() => {
  vi.restoreAllMocks();
});

const whole = () => writeNsysDatabase(join(folder, 'whole.sqlite'));
const cutOff = () => {
  const path = join(folder, 'cut.sqlite');
  const bytes = readFileSync(whole());
  writeFileSync(path, bytes.subarray(0, bytes.length - 4096));
  return path;
};

it.each([
  ['whole', whole],
  ['cut off', cutOff],
])('NsysDatabase reads a file that is %s with all of SQLite’s defences', async (_what, make) => {
  const file = await readFileHead(make());
  const unsafe = vi.spyOn(Database.prototype, 'unsafeMode');
  const executed = vi.spyOn(Database.prototype, 'prepare');
  const db = new NsysDatabase(file);
  try {
    const valueOf = (pragma: string) => Object.values(db.row(`select * from pragma_${pragma}`) ?? {})[0];
    expect([valueOf('trusted_schema'), valueOf('cell_size_check')].map(Number)).toEqual([0, 1]);
    // The defensive mode is off for the header alone: nothing of the schema is read before it is on again.
    const order = (spy: {mock: {invocationCallOrder: number[]}}) => spy.mock.invocationCallOrder;
    if (unsafe.mock.calls.length > 0) {
      expect(unsafe.mock.calls).toEqual([[], [false]]);
      const schemaReads = executed.mock.calls.flatMap(([sql], at) =>
        sql.includes('sqlite_master') ? [order(executed)[at] ?? 0] : [],
      );
      expect(Math.min(...schemaReads)).toBeGreaterThan(order(unsafe)[1] ?? Infinity);
    }
    expect(db.has('StringIds', 'id', 'value')).toBe(true);
  } finally {
    db.close();
  }
});

it('NsysDatabase finds the tables before a cut, though others lie behind it', async () => {
  const bytes = readFileSync(whole());
  const path = join(folder, 'tables.sqlite');
  let found = 0;
  for (let pages = 2; pages * 4096 < bytes.length; pages++) {
    writeFileSync(path, bytes.subarray(0, pages * 4096));
    const db = new NsysDatabase(await readFileHead(path));
    if (db.has('CUPTI_ACTIVITY_KIND_KERNEL', 'start')) found++;
    db.close();
  }
  expect(found).toBe(bytes.length / 4096 - 2);
});
