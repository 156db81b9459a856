import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {usualOutputFolder} from '../run/run-folder.js';
import {commitOf} from './code-state.js';
import {readRunFile} from './run-file.js';
import {isRegularFile} from '../programs/regular-file.js';

/** Number of folders searched, the latest first. */
const mostLookedAt = 2000;

/**
 * Returns the first profile of the latest run recorded at a commit with no uncommitted changes, among the runs of a
 * folder. A run with changes does not count as a run of the commit.
 *
 * @param revision as git takes it: a hash, a branch, a tag
 * @param folder the working folder, whose `.gpu-lens` has the runs
 * @throws TraceError `file/missing` if git knows no such commit, or no run was recorded there
 */
export async function profileOfCommit(revision: string, folder: string): Promise<string> {
  const commit = await commitOf(folder, revision);
  if (commit === null) throw new TraceError('file/missing', `git knows no commit "${revision}" in ${folder}.`);
  const runs = join(folder, usualOutputFolder, 'runs');
  const names = (await readdir(runs).catch((): string[] => [])).sort().reverse().slice(0, mostLookedAt);
  for (const name of names) {
    const run = await readRunFile(join(runs, name));
    if (run?.commit !== commit || run.dirty !== null) continue;
    for (const {file} of run.profiles) {
      const path = join(runs, name, file);
      if (await isRegularFile(path)) return path;
    }
  }
  throw new TraceError(
    'file/missing',
    `No run of commit ${commit.slice(0, 9)} (${revision}) without other changes was recorded in ${runs}: check it out, then record one with gpu-lens profile.`,
  );
}
