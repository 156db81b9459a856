import type {RangeChoice} from '../attribution/ranges.js';
import {TraceError} from '../base/errors.js';
import type {ReportDetails} from './report-details.js';
import type {ReportSource} from './report-source.js';
import type {Trace, TraceMeta} from '../trace/trace.js';
import {reportScope} from '../scope/report-scope.js';
import type {Selection} from '../scope/selection.js';

/** What a file tells of the job that it is of. */
export type JobPlace = Pick<TraceMeta, 'rank' | 'worldSize'>;

/** Whether two files are different ranks of a job of one size: all that files tell of which job they are of. */
export function isOtherRank(meta: JobPlace, other: JobPlace): boolean {
  return meta.rank !== null && other.rank !== null && other.rank !== meta.rank && other.worldSize === meta.worldSize;
}

/**
 * Whether a selection means the same on every rank: steps and ranges do; the clocks of files, their processes, devices
 * and threads are their own.
 */
export function holdsOnEveryRank({fromNs, toNs, process, device, stream, track}: Selection): boolean {
  return [fromNs, toNs, process, device, stream, track].every(value => value === undefined);
}

/** A file of another rank. */
export interface OtherRank {
  /** To be named where it cannot be used. */
  readonly name: string;
  readonly trace: Trace;
  readonly details: ReportDetails;
}

/**
 * The same part of other ranks' files as sources of reports; none where the selection is about one file alone.
 *
 * @param ranges what the range of a selection is one of; a range that a person named where absent
 * @throws TraceError `ranks/other-job` where a file is no other rank of the job, or one that was named before
 * @throws TraceError `selection/no-match` where a rank has no such step or range
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
