import * as vscode from 'vscode';
import {readdir} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {isOtherRank} from '../../core/figures/other-ranks.js';
import type {JobRanks} from '../../core/job/rank-choices.js';
import {rankStandings, standings, type Standing} from '../../core/job/rank-standings.js';
import {rankFiles, rankInFileName} from '../../core/names/rank-files.js';
import type {ProfileStore} from './profile-store.js';
import type {ActiveJob, JobStore} from './job-store.js';

/** A rank of a job and its file. */
interface RankFile {
  readonly rank: number;
  /** Null if it is in a zip, which the job store unpacks. */
  readonly path: string | null;
  /** Distinguishes files. */
  readonly identity: string;
  /** "Rank 5 (slowest)" */
  readonly text: string;
}

/** The services that open a rank. */
export interface RankOpener {
  readonly store: ProfileStore;
  readonly jobs: JobStore;
  /** Opens a file and shows it. Returns false if that failed; the user has been told. */
  readonly openProfile: (path: string) => Promise<boolean>;
}

/** The ranks of a profile's job. */
export interface RankFiles {
  /** The rank of the given profile; null if unknown. */
  readonly shown: number | null;
  /** The files by rank, including the given profile's. */
  readonly files: readonly RankFile[];
}

/**
 * Returns the ranks of a profile's job: those of the active job if it contains the profile; else the open ones, and
 * files in the same folder whose names differ only in the rank.
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
    // Files in the profile's folder certainly belong to its run.
    if (rank !== null && !paths.has(rank) && isOtherRank(job, other.state.summary.job)) paths.set(rank, other.path);
  }
  return {shown, files: filesOfPaths(paths.set(shown, path))};
}

/**
 * Returns the same for a file that is not an open profile, such as a memory snapshot: files whose names differ only in
 * the rank.
 */
export async function jobRanksOfFile(store: ProfileStore, jobs: JobStore, path: string): Promise<RankFiles> {
  const profile = store.open.find(one => one.path === path);
  if (profile) return jobRanks(store, jobs, profile.key);
  const shown = rankInFileName(basename(path));
  return {shown, files: shown === null ? [] : filesOfPaths((await ranksBeside(path)).set(shown, path))};
}

/** Returns the paths by rank of files in the same folder whose names differ only in the rank. */
async function ranksBeside(path: string): Promise<Map<number, string>> {
  const beside = await readdir(dirname(path)).catch(() => []);
  return new Map([...rankFiles(basename(path), beside)].map(([rank, file]) => [rank, join(dirname(path), file)]));
}

function filesOfPaths(paths: ReadonlyMap<number, string>): RankFile[] {
  const sorted = [...paths].sort(([a], [b]) => a - b);
  return sorted.map(([rank, path]) => ({rank, path, identity: path, text: rankText(rank)}));
}

/** Returns the choices of a rank selector; null if the profile is in no job, or no other rank is found. */
export async function offeredRanks(store: ProfileStore, jobs: JobStore, key: number): Promise<JobRanks | null> {
  return offeredOf(await jobRanks(store, jobs, key), jobs, store.byKey(key)?.path ?? '');
}

/** Returns the same for a file, such as a memory snapshot. */
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

/**
 * Opens a rank of a profile's job. Returns false if its file cannot be opened; the user has been told.
 *
 * @throws whatever `pathOfRank` throws
 */
export async function openRank({store, jobs, openProfile}: RankOpener, key: number, rank: number): Promise<boolean> {
  return openProfile(await pathOfRank(await jobRanks(store, jobs, key), jobs, rank));
}

/**
 * Returns the path of a rank's file, unpacked if it is in a zip.
 *
 * @throws TraceError `profile/not-open` if there is none, as for a job that was closed meanwhile; or as the engine's
 * `job/file`
 */
export async function pathOfRank({files}: RankFiles, jobs: JobStore, rank: number): Promise<string> {
  const file = files.find(one => one.rank === rank);
  const path = file ? (file.path ?? (await jobs.fileOf(rank))) : null;
  if (path === null)
    throw new TraceError('profile/not-open', vscode.l10n.t('The job has no profile of rank {0}.', String(rank)));
  return path;
}

const rankText = (rank: number) => vscode.l10n.t('Rank {0}', String(rank));

const standingTexts: Readonly<Record<Standing, (rank: string) => string>> = {
  fastest: rank => vscode.l10n.t('Rank {0} (fastest)', rank),
  median: rank => vscode.l10n.t('Rank {0} (median)', rank),
  slowest: rank => vscode.l10n.t('Rank {0} (slowest)', rank),
};

/** Ranks in the same file are its processes, and views offer them as processes. */
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
