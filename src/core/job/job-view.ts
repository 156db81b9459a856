import {waitsOfCall} from './call-waits.js';
import type {JobRank, RankPlace} from './job-rank.js';
import {reportOf, type JobFacts, type JobReport} from './job-report.js';
import type {JobTimeline} from './job-timeline.js';
import type {MatchedCall} from './match-calls.js';
import {rangeNs} from './rank-spread.js';
import {rankTraffic, type Traffic} from './traffic.js';

/**
 * A job as a view shows it. Tables have a row for each rank of the report, row by row; NaN if a rank lacks the step or
 * range.
 */
export interface JobView {
  readonly report: JobReport;
  /**
   * A column for each step of the report: its length, its begin on the rank's own clock, and the rank's waiting in it.
   */
  readonly stepNs: Float64Array;
  readonly stepFromNs: Float64Array;
  readonly stepWaitNs: Float64Array;
  /** A column for each of the first ranges of the report. */
  readonly rangeNs: Float64Array;
  readonly rangeColumns: number;
  readonly traffic: Traffic | null;
}

/** The location of a rank: its file, and its process if the file holds several ranks. */
interface PlacedRank extends RankPlace {
  readonly rank: number;
  readonly process: string | null;
}

/** An open job, and the locations of its ranks in the order of the report. */
export interface PlacedJob {
  readonly view: JobView;
  readonly timeline: JobTimeline;
  readonly places: readonly PlacedRank[];
}

/** A view shows only this many ranges: those that differ most. */
const mostRanges = 200;

/** Returns the content of a job's view. @see docs/metrics.md#job */
export function jobView(facts: JobFacts): JobView {
  const report = reportOf(facts);
  const {ranks, matched} = facts;
  const columns = new Map(report.steps.map(({step}, at) => [step, at]));
  const stepNs = new Float64Array(ranks.length * columns.size).fill(NaN);
  const stepFromNs = stepNs.slice();
  ranks.forEach(({steps}, rank) => {
    for (const {number, startNs, endNs} of steps) {
      const cell = rank * columns.size + (columns.get(number) ?? 0);
      // If a rank has a step number twice, the first is shown.
      if (!Number.isNaN(stepNs[cell])) continue;
      stepNs[cell] = endNs - startNs;
      stepFromNs[cell] = startNs;
    }
  });
  return {
    ...{report, stepNs, stepFromNs, stepWaitNs: waitsInSteps(ranks, matched, columns)},
    ...{rangeNs: rangeTable(ranks, report), rangeColumns: Math.min(mostRanges, report.ranges.length)},
    traffic: rankTraffic(ranks),
  };
}

function waitsInSteps(
  ranks: readonly JobRank[],
  matched: readonly MatchedCall[],
  columns: ReadonlyMap<number, number>,
): Float64Array {
  const waits = new Float64Array(ranks.length * columns.size).fill(NaN);
  for (const call of matched) {
    for (const [rank, ns] of waitsOfCall(call)) {
      const step = call.parts.get(rank)?.step ?? -1;
      if (step < 0) continue;
      const cell = rank * columns.size + (columns.get(ranks[rank].steps[step].number) ?? 0);
      waits[cell] = (Number.isNaN(waits[cell]) ? 0 : waits[cell]) + ns;
    }
  }
  return waits;
}

function rangeTable(ranks: readonly JobRank[], {ranges, rangesAre}: JobReport): Float64Array {
  const columns = new Map(ranges.slice(0, mostRanges).map(({name}, at) => [name, at]));
  const table = new Float64Array(ranks.length * columns.size).fill(NaN);
  ranks.forEach((rank, row) => {
    for (const range of rank.ranges) {
      const column = columns.get(range.name);
      if (column !== undefined) table[row * columns.size + column] = rangeNs(rank, range, rangesAre);
    }
  });
  return table;
}
