import type {RangeChoice} from '../attribution/ranges.js';
import {TraceError} from '../base/errors.js';
import type {ReportDetails} from './report-details.js';
import type {ReportSource} from './report-source.js';
import type {Trace, TraceMeta} from '../trace/trace.js';
import {reportScope} from '../scope/report-scope.js';
import type {Selection} from '../scope/selection.js';

/** A file's rank and the size of its job. */
export type JobPlace = Pick<TraceMeta, 'rank' | 'worldSize'>;

/** Returns whether two files are different ranks of jobs of equal size: files identify their job by nothing else. */
export function isOtherRank(meta: JobPlace, other: JobPlace): boolean {
  return meta.rank !== null && other.rank !== null && other.rank !== meta.rank && other.worldSize === meta.worldSize;
}

/**
 * Returns whether a selection means the same on every rank: steps and ranges do; clocks, processes, devices and threads
 * differ between files.
 */
export function holdsOnEveryRank({fromNs, toNs, process, device, stream, track}: Selection): boolean {
  return [fromNs, toNs, process, device, stream, track].every(value => value === undefined);
}

/** A file of another rank. */
export interface OtherRank {
  /** For messages about a file that cannot be used. */
  readonly name: string;
  readonly trace: Trace;
  readonly details: ReportDetails;
}

/**
 * Returns the same part of other ranks' files as sources of reports; none if the selection applies to one file only.
 *
 * @param ranges what counts as a range in the selection; by default a user-defined range
 * @throws TraceError `ranks/other-job` if a file is not another rank of the job, or its rank was already given
 * @throws TraceError `selection/no-match` if a rank has no such step or range
 */
export function otherRankSources(
  trace: Trace,
  others: readonly OtherRank[],
  selection: Selection,
  ranges?: RangeChoice,
): ReportSource[] {
  const seen = [trace.meta];
  for (const {
    name,
    trace: {meta},
  } of others) {
    if (!seen.every(known => isOtherRank(known, meta)))
      throw new TraceError('ranks/other-job', notOfJob(name, meta, trace.meta));
    seen.push(meta);
  }
  if (!holdsOnEveryRank(selection)) return [];
  return others.map(({trace: other, details}) => ({
    trace: other,
    details,
    scope: reportScope(other, selection, ranges),
  }));
}

function notOfJob(name: string, meta: TraceMeta, of: TraceMeta): string {
  return `${name} is not another rank of the same job: it is ${rankText(meta)}, the first file is ${rankText(of)}.`;
}

function rankText({rank, worldSize}: TraceMeta): string {
  return rank === null ? 'of no rank that it tells' : `rank ${String(rank)} of ${String(worldSize ?? '?')}`;
}
