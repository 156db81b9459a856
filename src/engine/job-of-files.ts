import {createHash} from 'node:crypto';
import {stat} from 'node:fs/promises';
import {basename, join} from 'node:path';
import type {JobRank, RankPlace} from '../core/job/job-rank.js';
import {jobFacts} from '../core/job/job-report.js';
import {jobTimeline} from '../core/job/job-timeline.js';
import {jobView, type PlacedJob} from '../core/job/job-view.js';
import {jobDetails, ranksOfTrace} from '../core/job/ranks-of-trace.js';
import {makePrivateFolder, removePrivateFolder} from '../importers/files/private-folder.js';
import {unpackFile} from '../importers/files/unzip.js';
import {readJobRanks} from '../importers/job-ranks.js';
import {loadReportDetails} from '../importers/report-details.js';
import {readSummary} from '../parquet/read-summary.js';
import type {EngineRequests} from '../protocol/engine-messages.js';
import type {OpenProfiles} from './open-profiles.js';

/**
 * Returns the ranks in files, folders and zips as one job. Files are read one after the other, and only the data that
 * the job needs is kept.
 *
 * @param tell receives the progress: "2 of 8"
 * @throws TraceError as `readJobRanks` and `jobReport`
 */
export async function jobOfFiles(
  profiles: OpenProfiles,
  {paths, exports}: EngineRequests['job']['params'],
  signal: AbortSignal,
  tell: (progress: string) => void,
): Promise<PlacedJob> {
  const read = async (path: string, position: number): Promise<readonly JobRank[]> =>
    (await readSummary(path, position)) ?? ranksOfProfile(profiles, path, exports[path] ?? path, position, signal);
  const limit = profiles.limits.unpackedLimit;
  const {ranks, notes, places} = await readJobRanks(paths, {signal, limit, read, tell});
  const facts = jobFacts(ranks);
  const view = jobView(facts);
  const processes = new Map(ranks.map(({rank, process}) => [rank, process]));
  return {
    view: {...view, report: {...view.report, notes: [...view.report.notes, ...notes]}},
    timeline: jobTimeline(facts, view.report.ranks),
    places: view.report.ranks.map(({rank, file}) => ({
      ...(places.get(rank) ?? {path: file, entry: null}),
      ...{rank, process: processes.get(rank) ?? null},
    })),
  };
}

async function ranksOfProfile(
  profiles: OpenProfiles,
  path: string,
  readable: string,
  position: number,
  signal: AbortSignal,
): Promise<JobRank[]> {
  const trace = await profiles.readOnce(readable, {signal});
  const details = await loadReportDetails(readable, trace, jobDetails(trace), {signal});
  return ranksOfTrace({name: basename(path), trace, details}, position);
}

/** Profiles of ranks in zips. Those that a user opens are unpacked once, into a private folder. */
export class UnpackedRanks {
  #folder: string | null = null;
  readonly #known = new Map<string, Promise<string>>();

  constructor(private readonly profiles: OpenProfiles) {
    process.once('exit', () => {
      if (this.#folder !== null) removePrivateFolder(this.#folder);
    });
  }

  /** Returns the file itself, or an unpacked copy. @throws TraceError as `unpackFile` */
  async file({path, entry}: RankPlace, signal: AbortSignal): Promise<string> {
    if (entry === null) return path;
    const {size, mtimeMs} = await stat(path);
    const key = createHash('sha256')
      .update(JSON.stringify([path, entry, size, mtimeMs]))
      .digest('hex')
      .slice(0, 16);
    const known = this.#known.get(key);
    if (known) return known;
    this.#folder ??= makePrivateFolder();
    const limit = this.profiles.limits.unpackedLimit;
    const unpacking = unpackFile(path, entry, join(this.#folder, key), limit, signal);
    this.#known.set(key, unpacking);
    unpacking.catch(() => this.#known.delete(key));
    return unpacking;
  }
}
