import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, existsSync, readdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
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

it('tryLock(path) gives a lock to one holder at a time', async () => {
  const lock = await tryLock(path);
  expect(lock).not.toBeNull();
  expect(await tryLock(path)).toBeNull();
  lock?.release();
  const again = await tryLock(path);
  expect(again).not.toBeNull();
  again?.release();
});

it('tryLock(path) gets the lock of a process that was killed', async () => {
  await once(holder.stdout, 'data');
  expect(await tryLock(join(folder, 'other.lock'))).toBeNull();
  const waiting = lockWithin(join(folder, 'other.lock'), 60_000);
  holder.kill('SIGKILL');
  const lock = await waiting;
  expect(lock).not.toBeNull();
  lock?.release();
});

it('lockWithin(path, limitMs) gives up a lock that is held too long', async () => {
  const lock = await tryLock(path);
  expect(await lockWithin(path, 50)).toBeNull();
  lock?.release();
});

it('tryLock(path) leaves nothing but an empty file, which all may lock who may write into the folder', async () => {
  const shared = temporaryFolder();
  chmodSync(shared, 0o775);
  const lock = await tryLock(join(shared, 'a'));
  expect(await tryLock(join(shared, 'a'))).toBeNull();
  expect(readdirSync(shared)).toEqual(['a']);
  lock?.release();
  const {size, mode} = statSync(join(shared, 'a'));
  expect(size).toBe(0);
  if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o664);
});

it('tryLock(path) says what cannot be locked, and opens no database of others', async () => {
  const missing = join(folder, 'missing', 'a.lock');
  await expect(tryLock(missing)).rejects.toThrow(`${missing} cannot be locked: `);
  const other = join(folder, 'other');
  writeFileSync(other, 'x');
  await expect(tryLock(other)).rejects.toThrow('cannot be locked: it is not an empty file.');
});

it.skipIf(process.platform === 'win32')('tryLock(path) makes no file where a link leads', async () => {
  const [link, end] = [join(folder, 'link'), join(folder, 'end')];
  symlinkSync(end, link);
  await expect(tryLock(link)).rejects.toThrow('cannot be locked: it is not an empty file.');
  expect(existsSync(end)).toBe(false);
});
