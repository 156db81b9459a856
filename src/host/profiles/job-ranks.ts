import * as vscode from 'vscode';
import {readdir} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {isOtherRank} from '../../core/figures/other-ranks.js';
import type {JobRanks} from '../../core/job/rank-choices.js';
import {rankStandings, standings} from '../../core/job/rank-standings.js';
import {rankFiles, rankInFileName} from '../../core/names/rank-files.js';
import type {ProfileStore} from './profile-store.js';
import type {ActiveJob, JobStore} from './job-store.js';

/** A rank of a job, and where it is. */
interface RankFile {
  readonly rank: number;
  /** Null where it lies in a zip: the job store unpacks it. */
  readonly path: string | null;
  /** Tells files apart. */
  readonly identity: string;
  /** "Rank 5 (slowest)" */
  readonly text: string;
}

/** What opens a rank. */
export interface RankOpener {
  readonly store: ProfileStore;
  readonly jobs: JobStore;
  /** Opens a file and shows it; false where that failed, which the user has been told. */
  readonly openProfile: (path: string) => Promise<boolean>;
}

/** The ranks of a profile's job. */
export interface RankFiles {
  /** The rank of the profile that was asked about; null where nothing tells it. */
  readonly shown: number | null;
  /** By rank, the asked profile's among them. */
  readonly files: readonly RankFile[];
}

/**
 * The ranks of a profile's job: those of the active job if the profile is one of them; else the open ones, and files
 * beside it that are named alike but for the rank.
 */
export async function jobRanks(store: ProfileStore, jobs: JobStore, key: number): Promise<RankFiles> {
  const profile = store.byKey(key);
  if (!profile) return {shown: null, files: []};
  const {path} = profile;
  const inJob = jobs.rankOf(path);
  if (jobs.active && inJob !== null) return {shown: inJob, files: filesOf(jobs.active)};
  const {job} = profile.state.summary;
  const name = basename(path);
  const shown = job.rank ?? rankInFileName(name);
  if (shown === null) return {shown, files: []};
  const paths = new Map<number, string>();
  if (rankInFileName(name) === shown) {
    const beside = await readdir(dirname(path)).catch(() => []);
    for (const [rank, file] of rankFiles(name, beside)) paths.set(rank, join(dirname(path), file));
  }
  for (const other of store.open) {
    const {rank} = other.state.summary.job;
    // What lies beside the profile is of its run for certain.
    if (rank !== null && !paths.has(rank) && isOtherRank(job, other.state.summary.job)) paths.set(rank, other.path);
  }
  const sorted = [...paths.set(shown, path)].sort(([a], [b]) => a - b);
  return {
    shown,
    files: sorted.map(([rank, file]) => ({
      rank,
      path: file,
      identity: file,
      text: vscode.l10n.t('Rank {0}', String(rank)),
    })),
  };
}

/** What a selector offers of a profile's job; null where it is no job's, or no other rank is at hand. */
export async function offeredRanks(store: ProfileStore, jobs: JobStore, key: number): Promise<JobRanks | null> {
  const {shown, files} = await jobRanks(store, jobs, key);
  if (shown === null || files.length < 2) return null;
  const path = store.byKey(key)?.path ?? '';
  const found = jobs.active && jobs.rankOf(path) !== null ? rankStandings(jobs.active.view) : new Map<number, never>();
  const ranks = new Set(files.map(({rank}) => rank));
  return {
    shown,
    ranks: [...ranks],
    files: files.map(({identity}) => identity),
    texts: files.map(({text}) => text),
    standings: standings.flatMap(standing =>
      [...found].filter(([rank, own]) => own === standing && ranks.has(rank)).map(([rank]) => ({standing, rank})),
    ),
  };
}

/** Opens a rank of a profile's job; false where it has no such rank, or its file cannot be opened. */
export async function openRank({store, jobs, openProfile}: RankOpener, key: number, rank: number): Promise<boolean> {
  const file = (await jobRanks(store, jobs, key)).files.find(one => one.rank === rank);
  const path = file?.path ?? (await jobs.fileOf(rank));
  return file !== undefined && path !== null && (await openProfile(path));
}

/** Ranks that one file holds together are its processes, which views offer as such. */
function filesOf({view, places}: ActiveJob): RankFile[] {
  const standings = rankStandings(view);
  const known = new Set<string>();
  return places.flatMap(({rank, path, entry}) => {
    const identity = entry === null ? path : `${path}#${entry}`;
    if (known.has(identity)) return [];
    known.add(identity);
    const standing = standings.get(rank);
    const text = `Rank ${String(rank)}${standing === undefined ? '' : ` (${standing})`}`;
    return [{rank, path: entry === null ? path : null, identity, text}];
  });
}
