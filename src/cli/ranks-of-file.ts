import {basename} from 'node:path';
import type {JobRank} from '../core/job/job-rank.js';
import {jobDetails, ranksOfTrace} from '../core/job/ranks-of-trace.js';
import {loadReportDetails} from '../importers/report-details.js';
import {readSummary} from '../parquet/read-summary.js';
import {loadProfile} from './load-trace.js';

/**
 * Returns the ranks that a file holds, a summary or a profile.
 *
 * @param position number of the first of them among the ranks of the job, for those that nothing tells
 * @throws TraceError
 */
export async function ranksOfFile(path: string, position: number): Promise<JobRank[]> {
  return (await readSummary(path, position)) ?? ranksOfProfile(path, position);
}

/** As `ranksOfFile`, of a profile alone. @throws TraceError */
export async function ranksOfProfile(path: string, position: number): Promise<JobRank[]> {
  const {path: readable, trace} = await loadProfile(path);
  const details = await loadReportDetails(readable, trace, jobDetails(trace));
  return ranksOfTrace({name: basename(path), trace, details}, position);
}
