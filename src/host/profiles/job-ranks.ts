import {readdir} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {isOtherRank} from '../../core/figures/other-ranks.js';
import {rankFiles, rankInFileName} from '../../core/names/rank-files.js';
import type {ProfileStore} from './profile-store.js';

/** Where the ranks of a job are. */
export interface RankPaths {
  /** The rank of the profile that was asked about; null where nothing tells it. */
  readonly shown: number | null;
  /** Rank → its file, the asked profile's among them. */
  readonly paths: ReadonlyMap<number, string>;
}

/** The ranks of a profile's job: the open ones, and files beside it that are named alike but for the rank. */
export async function jobRanks(store: ProfileStore, key: number): Promise<RankPaths> {
  const profile = store.byKey(key);
  if (!profile) return {shown: null, paths: new Map()};
  const {path} = profile;
  const {job} = profile.state.summary;
  const name = basename(path);
  const shown = job.rank ?? rankInFileName(name);
  const paths = new Map<number, string>();
  if (shown === null) return {shown, paths};
  if (rankInFileName(name) === shown) {
    const beside = await readdir(dirname(path)).catch(() => []);
    for (const [rank, file] of rankFiles(name, beside)) paths.set(rank, join(dirname(path), file));
  }
  for (const other of store.open) {
    const {rank} = other.state.summary.job;
    // What lies beside the profile is of its run for certain.
    if (rank !== null && !paths.has(rank) && isOtherRank(job, other.state.summary.job)) paths.set(rank, other.path);
  }
  return {shown, paths: paths.set(shown, path)};
}
