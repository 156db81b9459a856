import {execFile} from 'node:child_process';
import {mkdtemp, readdir, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import {TraceError} from '../../core/base/errors.js';

/** A checkout of one commit in a folder of its own. */
export interface Worktree {
  readonly folder: string;
  readonly commit: string;
}

/** Two worktrees of one repository, and the folder that holds them. */
export interface Worktrees {
  /** Absolute path of the user's own checkout. */
  readonly checkout: string;
  /** The path from there to the folder in which the command runs. */
  readonly subfolder: string;
  readonly folder: string;
  readonly base: Worktree;
  readonly changed: Worktree;
}

/**
 * Checks two commits out into temporary folders for the duration of `use`; they are always removed.
 *
 * @throws TraceError `prove/no-commit`, `prove/no-repository`
 */
export async function withWorktrees<Result>(
  cwd: string,
  base: string,
  changed: string,
  use: (worktrees: Worktrees) => Promise<Result>,
): Promise<Result> {
  const checkout = await realpath(await ask(cwd, ['rev-parse', '--show-toplevel'], notARepository(cwd)));
  const commits = [await commitOf(cwd, base), await commitOf(cwd, changed)] as const;
  const folder = await realpath(await mkdtemp(join(tmpdir(), `gpu-lens-prove-${String(process.pid)}-`)));
  const trees = [join(folder, 'base'), join(folder, 'changed')] as const;
  try {
    for (const [at, commit] of commits.entries()) await addWorktree(checkout, trees[at] ?? '', commit);
    return await use({
      checkout,
      subfolder: relative(checkout, await realpath(cwd)),
      folder,
      base: {folder: trees[0], commit: commits[0]},
      changed: {folder: trees[1], commit: commits[1]},
    });
  } finally {
    for (const tree of trees) await git(checkout, ['worktree', 'remove', '--force', '--force', tree]);
    await rm(folder, {recursive: true, force: true, maxRetries: 3});
    await git(checkout, ['worktree', 'prune']);
  }
}

/** Resets a worktree to its checkout, without files left by a run. @throws TraceError `prove/failed` */
export async function cleanWorktree({folder}: Worktree): Promise<void> {
  const failed = new TraceError('prove/failed', 'The temporary worktree could not be made clean.');
  await ask(folder, ['checkout', '--quiet', '--force', '--', '.'], failed);
  await ask(folder, ['clean', '-ffdxq'], failed);
}

/** Returns the folder for a run's temporary files and compiler caches. */
export function scratchFolder({folder}: Worktrees): string {
  return join(folder, 'run');
}

/**
 * Returns paths, from a worktree, of the files that a run left there or in its temporary folder, except compiled
 * Python.
 */
export async function leftFiles(worktrees: Worktrees, {folder}: Worktree): Promise<readonly string[]> {
  const {output} = await git(folder, ['ls-files', '--others', '--modified', '-z']);
  const scratch = scratchFolder(worktrees);
  const temporary = await readdir(scratch, {recursive: true, withFileTypes: true}).catch(() => []);
  const files = temporary
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)));
  return [...output.split('\0'), ...files].filter(path => path !== '' && !path.endsWith('.pyc'));
}

/** Returns paths, from the top of the repository, of files that one commit has and the other lacks. */
export async function addedFiles({checkout, base, changed}: Worktrees): Promise<readonly string[]> {
  const args = ['diff', '--name-only', '--no-renames', '--diff-filter=A', '-z', base.commit, changed.commit];
  const {output} = await git(checkout, args);
  return output.split('\0').filter(path => path !== '');
}

/** @throws TraceError `prove/no-commit` */
async function commitOf(cwd: string, name: string): Promise<string> {
  const unknown = new TraceError('prove/no-commit', `git knows no commit "${name}" here.`);
  return ask(cwd, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], unknown);
}

async function addWorktree(checkout: string, folder: string, commit: string): Promise<void> {
  const failed = new TraceError(
    'prove/failed',
    `git could not check ${commit.slice(0, 12)} out into a temporary folder.`,
  );
  await ask(checkout, ['worktree', 'add', '--quiet', '--force', '--detach', folder, commit], failed);
}

function notARepository(cwd: string): TraceError {
  return new TraceError('prove/no-repository', `${cwd} is in no git repository, or git was not found.`);
}

/** Returns git's output. @throws `failure` if git fails */
async function ask(cwd: string, args: readonly string[], failure: TraceError): Promise<string> {
  const {output, isDone} = await git(cwd, args);
  if (!isDone) throw failure;
  return output.trim();
}

const limitMs = 300_000;
const longestOutput = 64 << 20;

/** Runs git without a shell, and without the repository's hooks, which the user did not ask to run. */
function git(cwd: string, args: readonly string[]): Promise<{readonly output: string; readonly isDone: boolean}> {
  const options = {
    cwd,
    env: {...process.env, GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0'},
    timeout: limitMs,
    maxBuffer: longestOutput,
    windowsHide: true,
  };
  return new Promise(resolve => {
    execFile('git', ['-c', 'core.hooksPath=/dev/null', ...args], options, (error, stdout) => {
      resolve({output: stdout, isDone: error === null});
    });
  });
}
