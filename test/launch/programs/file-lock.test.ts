import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, expect, it} from 'vitest';
import {lockWithin, tryLock} from '../../../src/launch/programs/file-lock.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();
const path = join(folder, 'a.lock');

/** A process that holds a lock until it is killed. */
const holder = spawn(process.execPath, [
  '-e',
  `const db = new (require('better-sqlite3'))(process.argv[1]);
   db.exec('begin immediate');
   process.stdout.write('held');
   setInterval(() => db.open, 1000);`,
  join(folder, 'other.lock'),
]);
afterAll(() => holder.kill('SIGKILL'));

it('tryLock(path) gives a lock to one holder at a time', () => {
  const lock = tryLock(path);
  expect(lock).not.toBeNull();
  expect(tryLock(path)).toBeNull();
  lock?.release();
  const again = tryLock(path);
  expect(again).not.toBeNull();
  again?.release();
});

it('tryLock(path) gets the lock of a process that was killed', async () => {
  await once(holder.stdout, 'data');
  expect(tryLock(join(folder, 'other.lock'))).toBeNull();
  const waiting = lockWithin(join(folder, 'other.lock'), 60_000);
  holder.kill('SIGKILL');
  const lock = await waiting;
  expect(lock).not.toBeNull();
  lock?.release();
});

it('lockWithin(path, limitMs) gives up a lock that is held too long', async () => {
  const lock = tryLock(path);
  expect(await lockWithin(path, 50)).toBeNull();
  lock?.release();
});

it('tryLock(path) leaves nothing but the lock', () => {
  const empty = temporaryFolder();
  const lock = tryLock(join(empty, 'a'));
  expect(tryLock(join(empty, 'a'))).toBeNull();
  lock?.release();
  expect(readdirSync(empty)).toEqual(['a']);
});

it('tryLock(path) says what cannot be locked', () => {
  const missing = join(folder, 'missing', 'a.lock');
  expect(() => tryLock(missing)).toThrow(`${missing} cannot be locked: `);
  const other = join(folder, 'text');
  writeFileSync(other, 'a file that is not a lock'.repeat(100));
  expect(() => tryLock(other)).toThrow('cannot be locked: file is not a database.');
});
