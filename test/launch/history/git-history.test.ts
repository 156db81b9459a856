import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {findOnPath} from '../../../src/launch/programs/find-program.js';
import {lastCommitBefore, textAtCommit, textOfBlob} from '../../../src/launch/history/git-history.js';
import {temporaryFolder} from '../../support/project.js';

const git = await findOnPath('git');
if (git === null) console.warn('Skipped: there is no git on PATH.');

describe.skipIf(git === null)('git’s texts of earlier', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'src', 'a file; rm -rf.py');
  const file = {git: git ?? '', path};
  const commits: string[] = [];

  function run(args: readonly string[], date = ''): string {
    const env = {...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, GIT_CONFIG_GLOBAL: '/dev/null'};
    return execFileSync(git ?? '', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
    }).trim();
  }

  beforeAll(() => {
    mkdirSync(join(folder, 'src'));
    run(['init', '-q']);
    for (const [at, text] of ['one\n', 'two ä\n'].entries()) {
      writeFileSync(path, text);
      run(['add', '.']);
      run(['commit', '-q', '-m', text], `2026-01-0${String(at + 1)}T12:00:00Z`);
      commits.push(run(['rev-parse', 'HEAD']));
    }
    writeFileSync(path, 'three\n');
  });

  it('textAtCommit(file, commit) is the file’s text then, whatever its name', async () => {
    expect(await textAtCommit(file, commits[0] ?? '')).toBe('one\n');
    expect(await textAtCommit(file, commits[1] ?? '')).toBe('two ä\n');
  });

  it('textOfBlob(file, blob) is the text of a blob', async () => {
    expect(await textOfBlob(file, run(['rev-parse', 'HEAD:src/a file; rm -rf.py']))).toBe('two ä\n');
  });

  it('lastCommitBefore(file, time) is the last one that changed the file', async () => {
    expect(await lastCommitBefore(file, Date.parse('2026-01-01T13:00:00Z'))).toBe(commits[0]);
    expect(await lastCommitBefore(file, Date.parse('2026-03-01T00:00:00Z'))).toBe(commits[1]);
    expect(await lastCommitBefore(file, Date.parse('2025-01-01T00:00:00Z'))).toBeNull();
  });

  it('is null for what git has not, and for what is no name of an object', async () => {
    expect(await textAtCommit(file, 'f'.repeat(40))).toBeNull();
    expect(await textAtCommit({...file, path: join(folder, 'other.py')}, commits[0] ?? '')).toBeNull();
    for (const name of ['HEAD', '--help', '', `${'a'.repeat(40)} --batch`]) {
      expect(await textAtCommit(file, name)).toBeNull();
      expect(await textOfBlob(file, name)).toBeNull();
    }
    expect(await textOfBlob({...file, git: '/no/such/git'}, 'a'.repeat(40))).toBeNull();
  });
});
