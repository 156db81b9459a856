import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, expect, it, vi} from 'vitest';
import {temporaryFolder} from '../../support/project.js';

/** What SQLite says of a file, by its path, on a file system that is not here. */
let codeFor: (path: string) => string = () => '';
let closed = 0;

vi.mock('better-sqlite3', () => ({
  default: class {
    constructor(private readonly path: string) {}
    pragma() {
      return [];
    }
    exec() {
      throw Object.assign(new Error('of the file system'), {code: codeFor(this.path)});
    }
    close() {
      closed++;
    }
  },
}));
vi.mock('node:fs', async original => ({...(await original<object>()), accessSync: () => undefined}));
const {tryLock} = await import('../../../src/launch/programs/file-lock.js');

const folder = temporaryFolder();
const path = join(folder, 'a.lock');
afterEach(() => {
  expect(readdirSync(folder)).toEqual([]);
  closed = 0;
});

it.each([
  ['the file system has no locks', () => 'SQLITE_IOERR_LOCK', 1],
  // It says the same of a file that nobody else knows.
  ['its lock service does not answer', () => 'SQLITE_BUSY', 2],
])('tryLock(path) keeps nobody out where %s', async (_, code, opened) => {
  codeFor = code;
  for (const lock of [await tryLock(path), await tryLock(path)]) {
    expect(lock).not.toBeNull();
    lock?.release();
  }
  expect(closed).toBe(2 * opened);
});
