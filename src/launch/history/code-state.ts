import {execFile} from 'node:child_process';
import {createHash, randomUUID} from 'node:crypto';
import {join} from 'node:path';
import {findOnPath} from '../programs/find-program.js';
import {readRegularFile} from '../programs/regular-file.js';
import type {RunFile} from './run-file.js';

/** How long a run waits for git's answer before it starts. */
const gitLimitMs = 5000;
/** How long a command waits that names a revision: it can do nothing without the answer. */
const revisionLimitMs = 30_000;
const longestDiffBytes = 64 << 20;

/** Of files that git does not track, the content counts if they are programs; results of a run would always differ. */
const programs = ['py', 'pyx', 'cu', 'cuh', 'c', 'cc', 'cpp', 'cxx', 'h', 'hpp', 'sh'].map(end => `:/*.${end}`);
/** The limit keeps an environment of Python that lies in the folder from being read. */
const mostPrograms = 1000;
/** Of larger programs, only the size counts. */
const longestProgramBytes = 1 << 20;

const objectName = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Returns the commit that a revision names in the repository of a folder; null if git knows none. */
export async function commitOf(folder: string, revision: string): Promise<string | null> {
  const git = await findOnPath('git');
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const lines = (git && (await ask(git, folder, args, revisionLimitMs)))?.trim().split('\n') ?? [];
  return lines.find(line => objectName.test(line)) ?? null;
}

/**
 * Returns the commit of a folder and a digest of its uncommitted changes; nulls if it is in no repository. Changes that
 * git cannot tell get a unique digest, so that the run counts as no repeat of another.
 *
 * @param limitMs how long git may take for an answer
 */
export async function codeState(folder: string, limitMs = gitLimitMs): Promise<Pick<RunFile, 'commit' | 'dirty'>> {
  const git = await findOnPath('git');
  const asked = (...args: string[]) => (git === null ? null : ask(git, folder, args, limitMs));
  const commit = (await asked('rev-parse', '--verify', 'HEAD'))?.trim();
  if (commit === undefined || !objectName.test(commit)) return {commit: null, dirty: null};
  const [diff, files, untracked] = await Promise.all([
    asked('diff', '--no-ext-diff', '--no-textconv', 'HEAD'),
    asked('status', '--porcelain=v1', '--untracked-files=normal'),
    asked('ls-files', '--others', '--exclude-standard', '-z', '--', ...programs),
  ]);
  if (diff === '' && files === '') return {commit, dirty: null};
  const hash = createHash('sha256');
  if (diff === null || files === null || untracked === null) hash.update(randomUUID());
  else {
    hash.update(`${diff}\0${files}`);
    for (const name of nearest(untracked.split('\0').filter(Boolean))) {
      hash.update(`\0${name}\0`).update(await contentOf(join(folder, name)));
    }
  }
  return {commit, dirty: hash.digest('hex').slice(0, 16)};
}

/** Returns at most `mostPrograms` paths, those in the fewest folders first. */
function nearest(paths: readonly string[]): string[] {
  const depth = (path: string) => path.split('/').length;
  return paths.toSorted((a, b) => depth(a) - depth(b)).slice(0, mostPrograms);
}

/** Returns the content of a file, or its size if it is long; nothing if it cannot be read. */
async function contentOf(path: string): Promise<string | Buffer> {
  const content = await readRegularFile<string | Buffer>(path, (file, bytes) =>
    bytes <= longestProgramBytes ? file.readFile() : Promise.resolve(String(bytes)),
  );
  return content ?? '';
}

/**
 * Returns git's output, null if it fails. Git runs without a shell, and without programs from the repository's
 * settings.
 */
function ask(git: string, cwd: string, args: readonly string[], limitMs: number): Promise<string | null> {
  const own = {GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_LITERAL_PATHSPECS: '0'};
  const options = {
    cwd,
    env: {...process.env, ...own},
    timeout: limitMs,
    maxBuffer: longestDiffBytes,
    windowsHide: true,
  };
  return new Promise(resolve => {
    execFile(git, ['-c', 'core.fsmonitor=false', ...args], options, (error, stdout) => {
      resolve(error ? null : stdout);
    });
  });
}
