import {basename} from 'node:path';
import type {JobRank} from '../core/job/job-rank.js';
import {jobReport, jobSize, type JobReport} from '../core/job/job-report.js';
import {ranksOfTrace} from '../core/job/ranks-of-trace.js';
import {pushAll} from '../core/table/extremes.js';
import {loadReportDetails} from '../importers/report-details.js';
import {readSummary} from '../parquet/read-summary.js';
import type {OpenProfiles} from './open-profiles.js';

/**
 * Returns what the ranks in some files did as one job. One file is read after the other, and only what the job needs of
 * it is kept.
 *
 * @param report is told how many files were read
 * @throws TraceError as `OpenProfiles.open` and `jobReport`
 */
export async function jobOfFiles(
  profiles: OpenProfiles,
  paths: readonly string[],
  signal: AbortSignal,
  report: (read: number) => void,
): Promise<JobReport> {
  const ranks: JobRank[] = [];
  for (const [at, path] of paths.entries()) {
    report(at);
    pushAll(
      ranks,
      (await readSummary(path, ranks.length)) ?? (await ranksOfProfile(profiles, path, ranks.length, signal)),
    );
    // The other profiles need not be read to tell that these are not of one job.
    jobSize(ranks);
  }
  return jobReport(ranks);
}

async function ranksOfProfile(
  profiles: OpenProfiles,
  path: string,
  position: number,
  signal: AbortSignal,
): Promise<JobRank[]> {
  const trace = await profiles.readOnce(path, signal);
  const details = await loadReportDetails(path, trace, new Set(['collectives']), {signal});
  return ranksOfTrace({name: basename(path), trace, details}, position);
}
