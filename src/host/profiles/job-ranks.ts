import * as vscode from 'vscode';
import {readdir} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {isOtherRank} from '../../core/figures/other-ranks.js';
import type {JobRanks} from '../../core/job/rank-choices.js';
import {rankStandings, standings, type Standing} from '../../core/job/rank-standings.js';
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
  const paths = rankInFileName(name) === shown ? await ranksBeside(path) : new Map<number, string>();
  for (const other of store.open) {
    const {rank} = other.state.summary.job;
    // What lies beside the profile is of its run for certain.
    if (rank !== null && !paths.has(rank) && isOtherRank(job, other.state.summary.job)) paths.set(rank, other.path);
  }
  return {shown, files: filesOfPaths(paths.set(shown, path))};
}

/** The same of a file that is no open profile, such as a memory snapshot: files beside it that are named alike. */
export async function jobRanksOfFile(store: ProfileStore, jobs: JobStore, path: string): Promise<RankFiles> {
  const profile = store.open.find(one => one.path === path);
  if (profile) return jobRanks(store, jobs, profile.key);
  const shown = rankInFileName(basename(path));
  return {shown, files: shown === null ? [] : filesOfPaths((await ranksBeside(path)).set(shown, path))};
}

/** Rank → path of the files beside a file that are named alike but for the rank. */
async function ranksBeside(path: string): Promise<Map<number, string>> {
  const beside = await readdir(dirname(path)).catch(() => []);
  return new Map([...rankFiles(basename(path), beside)].map(([rank, file]) => [rank, join(dirname(path), file)]));
}

function filesOfPaths(paths: ReadonlyMap<number, string>): RankFile[] {
  const sorted = [...paths].sort(([a], [b]) => a - b);
  return sorted.map(([rank, path]) => ({rank, path, identity: path, text: rankText(rank)}));
}

/** What a selector offers of a profile's job; null where it is no job's, or no other rank is at hand. */
export async function offeredRanks(store: ProfileStore, jobs: JobStore, key: number): Promise<JobRanks | null> {
  return offeredOf(await jobRanks(store, jobs, key), jobs, store.byKey(key)?.path ?? '');
}

/** The same of a file, such as a memory snapshot. */
export async function offeredRanksOfFile(store: ProfileStore, jobs: JobStore, path: string): Promise<JobRanks | null> {
  return offeredOf(await jobRanksOfFile(store, jobs, path), jobs, path);
}

function offeredOf({shown, files}: RankFiles, jobs: JobStore, path: string): JobRanks | null {
  if (shown === null || files.length < 2) return null;
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
  const path = await pathOfRank(await jobRanks(store, jobs, key), jobs, rank);
  return path !== null && (await openProfile(path));
}

/** Where the file of a rank is, unpacked where it lies in a zip; null where there is none. */
export async function pathOfRank({files}: RankFiles, jobs: JobStore, rank: number): Promise<string | null> {
  const file = files.find(one => one.rank === rank);
  return file ? (file.path ?? (await jobs.fileOf(rank))) : null;
}

const rankText = (rank: number) => vscode.l10n.t('Rank {0}', String(rank));

const standingTexts: Readonly<Record<Standing, (rank: string) => string>> = {
  fastest: rank => vscode.l10n.t('Rank {0} (fastest)', rank),
  median: rank => vscode.l10n.t('Rank {0} (median)', rank),
  slowest: rank => vscode.l10n.t('Rank {0} (slowest)', rank),
};

/** Ranks that one file holds together are its processes, which views offer as such. */
function filesOf({view, places}: ActiveJob): RankFile[] {
  const standings = rankStandings(view);
  const known = new Set<string>();
  return places.flatMap(({rank, path, entry}) => {
    const identity = entry === null ? path : `${path}#${entry}`;
    if (known.has(identity)) return [];
    known.add(identity);
    const standing = standings.get(rank);
    const text = standing === undefined ? rankText(rank) : standingTexts[standing](String(rank));
    return [{rank, path: entry === null ? path : null, identity, text}];
  });
}
