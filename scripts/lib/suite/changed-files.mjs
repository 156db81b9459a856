// What differs from a commit: for `npm test -- --changed`.
import {root, run} from '../run.mjs';
import {SetupError} from '../setup-error.mjs';

/** The commit to compare with: where the branch left origin/main, or HEAD if there is no such branch. */
export async function changeBase() {
  const {status, stdout} = await run('git', ['merge-base', 'HEAD', 'origin/main'], {quiet: true});
  return status === 0 ? stdout.trim() : 'HEAD';
}

/**
 * Paths that differ from a commit, uncommitted and untracked ones included.
 *
 * @throws SetupError with git's message where it cannot say, as in a copy without a repository
 */
export async function changedSince(base, folder = root) {
  const lists = await Promise.all([
    gitLines(folder, ['diff', '--name-only', '--no-renames', base]),
    gitLines(folder, ['ls-files', '--others', '--exclude-standard']),
  ]);
  return lists.flat();
}

async function gitLines(cwd, args) {
  const {status, stdout, output} = await run('git', args, {quiet: true, cwd});
  if (status === 0) return stdout.split('\n').filter(Boolean);
  const said = output.split('\n').find(line => /^(fatal|error|warning): /.test(line)) ?? `status ${status}`;
  throw new SetupError(`git does not say what has changed (${said}): run "npm test" without --changed.`);
}
