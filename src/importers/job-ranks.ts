import {basename, dirname, join} from 'node:path';
import {TraceError} from '../core/base/errors.js';
import {say} from '../core/base/say.js';
import type {JobRank, RankPlace} from '../core/job/job-rank.js';
import {jobSize, type JobNote} from '../core/job/job-report.js';
import {pushAll} from '../core/table/extremes.js';
import type {UnpackedLimit} from '../core/trace/unpacked-limit.js';
import {jobFiles} from './files/job-files.js';
import {shortNames} from './files/short-names.js';

/** The ranks of a job, and the place of each. */
export interface JobRanks {
  readonly ranks: readonly JobRank[];
  readonly notes: readonly JobNote[];
  /** Profile of each rank. A summary is replaced by the profile beside it that it names. */
  readonly places: ReadonlyMap<number, RankPlace>;
}

export interface JobReading {
  readonly signal: AbortSignal;
  /** What a zip may unpack to. */
  readonly limit: UnpackedLimit | undefined;
  /** Returns the ranks of a file, a summary or a profile, from the number of the first of them on. */
  readonly read: (path: string, position: number) => Promise<readonly JobRank[]>;
  /** Receives the file being read: "2 of 8". */
  readonly tell: (progress: string) => void;
}

/**
 * Reads the ranks of a job from files, folders and zips, one file after the other, and keeps only what the job needs.
 * A file in a folder or zip that is not a profile is skipped with a note; a file that was named itself is not skipped.
 *
 * @throws TraceError
 */
export async function readJobRanks(paths: readonly string[], reading: JobReading): Promise<JobRanks> {
  const {signal, limit, read, tell} = reading;
  const ranks: JobRank[] = [];
  /** The path of each rank's profile, which may lie in a zip. */
  const profiles: string[] = [];
  const notes: JobNote[] = [];
  const places = new Map<number, RankPlace>();
  // A profile and its summary count as one rank.
  const known = new Set<string>();
  for await (const {path, isNamed, place, progress} of jobFiles(paths, limit, signal)) {
    tell(progress);
    if (!isNamed && known.has(path)) {
      notes.push({
        code: 'job/left-out',
        text: say('{0} was left out because its summary is beside it.', basename(path)),
      });
      continue;
    }
    try {
      const found = await read(path, ranks.length);
      for (const {rank, file} of found) {
        const profile = join(dirname(path), basename(file));
        known.add(profile);
        profiles.push(profilePath(place, file));
        places.set(rank, place.entry === null && path.endsWith('.parquet') ? {path: profile, entry: null} : place);
      }
      pushAll(ranks, found);
    } catch (error) {
      // A folder may contain anything, but a named file was intended.
      if (isNamed || !(error instanceof TraceError) || error.code === 'import/cancelled') throw error;
      notes.push({code: 'job/left-out', text: say('{0} was left out: {1}', basename(path), error.message)});
    }
    failUnlessOneJob(ranks, profiles);
  }
  if (ranks.length > 0) return {ranks: withShortNames(ranks, profiles), notes, places};
  const names = paths.map(path => basename(path)).join(', ');
  throw new TraceError('import/unknown-format', say('No profile was found in {0}.', names));
}

/** Returns the path of the profile of that name: the file itself, or what lies beside its summary or in its zip. */
function profilePath({path, entry}: RankPlace, file: string): string {
  return entry === null ? join(dirname(path), basename(file)) : join(path, dirname(entry), basename(file));
}

/** Fails early, before the other files are read. @throws TraceError `ranks/other-job` */
function failUnlessOneJob(ranks: readonly JobRank[], profiles: readonly string[]): void {
  try {
    jobSize(ranks);
  } catch {
    // The same error, with names that tell the files apart: they are not needed otherwise.
    jobSize(withShortNames(ranks, profiles));
  }
}

/** Names the files of ranks as people tell them apart, since each host may write the same name. */
function withShortNames(ranks: readonly JobRank[], profiles: readonly string[]): readonly JobRank[] {
  const names = shortNames(profiles);
  return ranks.map((rank, at) => ({...rank, file: names[at] ?? rank.file}));
}
