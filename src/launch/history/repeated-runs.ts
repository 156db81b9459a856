import {readdir, stat} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {readRunFile, type RunFile} from './run-file.js';

/** This many other runs are enough to estimate the noise; more would take long to open. */
const mostRepeats = 4;
/** Limit for all repeats together: opening larger profiles takes longer than the noise estimate is worth. */
const mostBytes = 256 << 20;
/** Number of folders searched, the latest first. */
const mostLookedAt = 300;

/**
 * Returns profiles of other runs of the same code: files of the same name in folders beside the profile's own. Their
 * command, folder, commit, uncommitted changes, profiler and recorded steps are equal, or one command line recorded
 * them. The nearest in time come first. Empty for a profile that is in no run's folder.
 */
export async function repeatedRuns(profile: string): Promise<string[]> {
  const folder = dirname(profile);
  const own = await readRunFile(folder);
  if (own === null) return [];
  const names = await readdir(dirname(folder)).catch((): string[] => []);
  const others = names
    .filter(name => name !== basename(folder))
    .sort()
    .slice(-mostLookedAt);
  const found: {path: string; bytes: number; apartMs: number}[] = [];
  for (const name of others) {
    const other = join(dirname(folder), name);
    const run = await readRunFile(other);
    if (run === null || !isSameCode(own, run)) continue;
    const path = join(other, basename(profile));
    const bytes = await stat(path).then(
      stats => (stats.isFile() ? stats.size : null),
      () => null,
    );
    if (bytes === null) continue;
    found.push({path, bytes, apartMs: Math.abs(Date.parse(run.began) - Date.parse(own.began))});
  }
  let bytes = 0;
  return found
    .sort((a, b) => a.apartMs - b.apartMs)
    .slice(0, mostRepeats)
    .filter(one => (bytes += one.bytes) <= mostBytes)
    .map(({path}) => path);
}

/** Without git, runs are known to share their code only if one command line recorded them. */
export function isSameCode(one: RunFile, other: RunFile): boolean {
  if (one.batch !== null && one.batch === other.batch) return true;
  if (one.commit === null || one.commit !== other.commit || one.dirty !== other.dirty) return false;
  if ((one.recorded ?? null) !== (other.recorded ?? null)) return false;
  return one.cwd === other.cwd && JSON.stringify(one.command) === JSON.stringify(other.command);
}
