import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {expect, it} from 'vitest';
import {openTrace} from '../../../src/importers/open-trace.js';
import {writeNsysDatabase} from '../../support/nsys-database.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();
let files = 0;

/** An export whose schema says something else of the table `more` than it was made with. */
function withSchema(schema: string): string {
  const path = writeNsysDatabase(join(folder, `${String(++files)}.sqlite`), 'create table more (a integer)');
  const db = new Database(path).unsafeMode();
  db.pragma('writable_schema = on');
  db.prepare("update sqlite_master set sql = ? where name = 'more'").run(schema);
  db.close();
  return path;
}

const sum = (terms: number) => Array.from({length: terms}, () => '1').join(' + ');
const columns = (count: number) => Array.from({length: count}, (_, at) => `c${String(at)} integer`).join();

it.each([
  ['an expression of 100,000 terms', `create table more (a integer check (${sum(100_000)} > 0))`, 'maximum depth 1000'],
  ['100,000 columns', `create table more (${columns(100_000)})`, 'too many columns'],
])('openTrace(database) reads no file whose schema has %s: SQLite refuses it', async (_what, schema, reason) => {
  const cause = expect.objectContaining({message: expect.stringContaining(reason) as string}) as Error;
  await expect(openTrace(withSchema(schema))).rejects.toMatchObject({code: 'import/damaged', cause});
});

it('openTrace(database) takes a default of 20 MB for a part of the schema like any other', async () => {
  const plain = await openTrace(withSchema('create table more (a text)'));
  const trace = await openTrace(withSchema(`create table more (a text default '${'x'.repeat(20_000_000)}')`));
  expect([trace.slices.length, trace.notes]).toEqual([plain.slices.length, plain.notes]);
});

it('openTrace(database) takes a text that says to be longer than its file for damage', async () => {
  const long = `insert into StringIds values (999, '${'y'.repeat(1_100_000)}')`;
  const path = writeNsysDatabase(join(folder, 'long.sqlite'), long);
  const bytes = readFileSync(path);
  // Before the text stands its length: four bytes of 7 bits each, here for 134 MB.
  bytes.set([0xff, 0xff, 0xff, 0x7f], bytes.indexOf('y'.repeat(64)) - 4);
  writeFileSync(path, bytes);
  const {notes} = await openTrace(path);
  expect(notes.find(({code}) => code === 'file/damaged')?.text).toBe('Damaged, and shown up to the damage: StringIds.');
});
