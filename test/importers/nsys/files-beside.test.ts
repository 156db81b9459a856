import {execFileSync, spawnSync} from 'node:child_process';
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import Database from 'better-sqlite3';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {openTrace} from '../../../src/importers/open-trace.js';
import {makePrivateFolder, removeAbandonedFolders} from '../../../src/importers/files/private-folder.js';
import {runWith} from '../../support/command-line.js';
import {folderState} from '../../support/folder-state.js';
import {writeNsysDatabase} from '../../support/nsys-database.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();
let temporary = '';
let count = 0;

/** Each test has a temporary folder of its own, in which nothing may stay. */
beforeEach(() => {
  temporary = newFolder();
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const newFolder = (): string => {
  const path = join(folder, `own-${String(count++)}`);
  mkdirSync(path);
  return path;
};
const database = (): string => writeNsysDatabase(join(newFolder(), 'worked.sqlite'));
const kernels = 'CUPTI_ACTIVITY_KIND_KERNEL';

/** A database with a kernel more in its write-ahead log than in itself: as its writer left it. */
function withLog(): string {
  const source = database();
  const db = new Database(source);
  db.pragma('journal_mode = wal');
  db.exec(`insert into ${kernels} select * from ${kernels} limit 1`);
  const path = join(newFolder(), 'worked.sqlite');
  for (const end of ['', '-wal']) copyFileSync(source + end, path + end);
  db.close();
  return path;
}

/** The same, with a header that says that there is no log. */
function withHiddenLog(): string {
  const path = withLog();
  writeFileSync(path, readFileSync(path).fill(1, 18, 20));
  return path;
}

const obstacles: readonly (readonly [what: string, make: (path: string) => void])[] = [
  ['a pipe', path => execFileSync('mkfifo', [path])],
  ['a folder', path => mkdirSync(path)],
  ['a link to an endless file', path => symlinkSync('/dev/zero', path)],
  ['a link to nothing', path => symlinkSync('/nowhere/at/all', path)],
  [
    "a link to a stranger's file",
    path => {
      writeFileSync(join(dirname(path), 'stranger'), 'keep me');
      symlinkSync(join(dirname(path), 'stranger'), path);
    },
  ],
  [
    "a hard link to a stranger's file",
    path => {
      writeFileSync(join(dirname(path), 'stranger'), 'keep me');
      linkSync(join(dirname(path), 'stranger'), path);
    },
  ],
];

describe.skipIf(process.platform === 'win32')('openTrace(database) with another thing beside it', () => {
  describe.each(['-wal', '-shm', '-journal'])('under the name %s', end => {
    it.each(obstacles)('reads the database alone: %s', async (_what, make) => {
      const path = database();
      make(path + end);
      const before = folderState(dirname(path));
      const trace = await openTrace(path);
      expect(trace.counts.kernels).toBe(2);
      expect(trace.notes.find(({code}) => code === 'file/left-out')?.text).toContain(
        `worked.sqlite${end} was left out`,
      );
      expect(folderState(dirname(path))).toEqual(before);
      expect(readdirSync(temporary)).toEqual([]);
    });
  });

  it('leaves all alone where a log is there and a hard link stands where SQLite would make its index', async () => {
    const path = withHiddenLog();
    writeFileSync(join(dirname(path), 'stranger'), 'keep me');
    linkSync(join(dirname(path), 'stranger'), `${path}-shm`);
    const before = folderState(dirname(path));
    expect((await openTrace(path)).counts.kernels).toBe(3);
    expect(folderState(dirname(path))).toEqual(before);
  });

  it('looks beside the file that a link leads to', async () => {
    const path = database();
    execFileSync('mkfifo', [`${path}-wal`]);
    const link = join(newFolder(), 'link.sqlite');
    symlinkSync(path, link);
    expect((await openTrace(link)).counts.kernels).toBe(2);
  });

  it('ends on the command line too, with the note on standard error', () => {
    const path = database();
    execFileSync('mkfifo', [`${path}-wal`]);
    const {status, stdout, stderr} = runWith({TMPDIR: temporary}, 'info', path);
    expect({status, stdout: stdout + stderr}).toEqual({
      status: 0,
      stdout: expect.stringContaining('worked.sqlite-wal was left out') as string,
    });
  });
});

describe('openTrace(database) with a write-ahead log', () => {
  it.each([
    ['in the header', withLog],
    ['that the header does not tell of', withHiddenLog],
  ])('reads the log %s from a private copy', async (_where, make) => {
    const path = make();
    const before = folderState(dirname(path));
    expect((await openTrace(path)).counts.kernels).toBe(3);
    expect(folderState(dirname(path))).toEqual(before);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('leaves no copy where the file cannot be read', async () => {
    const path = withLog();
    const bytes = readFileSync(path).fill(7, 100);
    writeFileSync(path, bytes);
    writeFileSync(`${path}-wal`, Buffer.alloc(5000, 7));
    await expect(openTrace(path)).rejects.toMatchObject({code: 'import/damaged'});
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe('removeAbandonedFolders', () => {
  it('removes copies whose process has ended, and no others', () => {
    const own = makePrivateFolder();
    const {pid} = spawnSync(process.execPath, ['-e', '']);
    const abandoned = join(temporary, basename(own).replace(`-${String(process.pid)}-`, `-${String(pid)}-`));
    renameSync(makePrivateFolder(), abandoned);
    writeFileSync(join(abandoned, 'copy.sqlite'), 'left by a process that was killed');
    const others = ['gpu-lens-other', basename(abandoned).replace(/copy-[0-9a-f]+/, 'copy-00000000')];
    for (const name of others) mkdirSync(join(temporary, name));
    removeAbandonedFolders(temporary);
    expect(readdirSync(temporary).sort()).toEqual([basename(own), ...others].sort());
  });
});
