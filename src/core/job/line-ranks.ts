import {say} from '../base/say.js';
import {median} from '../base/median.js';
import {formatCount} from '../format/count.js';
import {formatDuration, formatPercent} from '../format/duration.js';
import {matchesName, type NamePattern} from '../names/name-pattern.js';
import {greatest, least} from '../table/extremes.js';
import type {JobView} from './job-view.js';

/** The ranges of a source line over the ranks of a job. Times are ns, per step if every rank has steps. */
export interface LineRanks {
  readonly ranks: number;
  readonly per: 'step' | 'all';
  readonly meanNs: number;
  readonly minNs: number;
  readonly medianNs: number;
  readonly maxNs: number;
  readonly fastestRank: number;
  readonly slowestRank: number;
  /** How much longer the slowest takes, as a share of the other ranks' median; null if that is within their scatter. */
  readonly slowerBy: number | null;
}

export const shownRanks = ['mean', 'slowest', 'off'] as const;
/** The figure over the ranks that is shown above a line. */
export type ShownRanks = (typeof shownRanks)[number];

/** A smaller share of the median is not worth showing above a line. */
const leastPart = 0.05;
/** The slowest must exceed the other ranks' scatter this many times; fewer than three others give no scatter. */
const leastScatters = 3;
const leastOthers = 3;

/**
 * Returns the total of all ranges that a line opens, over the ranks that have one; null if fewer than two ranks have
 * one, or the view lacks one of the ranges.
 *
 * @see docs/metrics.md#job-lines
 */
export function lineRanks(
  {report, rangeNs, rangeColumns}: JobView,
  patterns: readonly NamePattern[],
): LineRanks | null {
  const columns: number[] = [];
  for (const [column, {name}] of report.ranges.entries()) {
    if (!patterns.some(pattern => matchesName(pattern, name))) continue;
    if (column >= rangeColumns) return null;
    columns.push(column);
  }
  const found = report.ranks.flatMap(({rank}, row) => {
    const own = columns.map(column => rangeNs[row * rangeColumns + column]).filter(ns => !Number.isNaN(ns));
    return own.length === 0 ? [] : [{rank, ns: own.reduce((sum, ns) => sum + ns, 0)}];
  });
  if (found.length < 2) return null;
  const all = found.map(({ns}) => ns);
  const [minNs, maxNs] = [least(all), greatest(all)];
  const slowest = found.find(({ns}) => ns === maxNs)?.rank ?? 0;
  return {
    ...{ranks: found.length, per: report.rangesAre.per, minNs, maxNs, medianNs: median(all)},
    meanNs: all.reduce((sum, ns) => sum + ns, 0) / all.length,
    fastestRank: found.find(({ns}) => ns === minNs)?.rank ?? 0,
    slowestRank: slowest,
    slowerBy: slowerBy(
      maxNs,
      found.filter(({rank}) => rank !== slowest).map(({ns}) => ns),
    ),
  };
}

function slowerBy(slowestNs: number, others: readonly number[]): number | null {
  if (others.length < leastOthers) return null;
  const middle = median(others);
  const scatter = median(others.map(ns => Math.abs(ns - middle)));
  const moreNs = slowestNs - middle;
  return moreNs >= leastPart * middle && moreNs > leastScatters * scatter && middle > 0 ? moreNs / middle : null;
}

/**
 * Returns the text above a line: "mean of 8 ranks 42.1 ms/step · rank 5 is 18 % slower here"; "" if nothing is to be
 * shown.
 */
export function lineRanksText(of: LineRanks, shown: ShownRanks): string {
  if (shown === 'off') return '';
  const {ranks, meanNs, maxNs, slowestRank} = of;
  const figure =
    shown === 'mean'
      ? say('mean of {0} ranks {1}', formatCount(ranks), perText(of, meanNs))
      : say('slowest of {0} ranks {1} (rank {2})', formatCount(ranks), perText(of, maxNs), slowestRank);
  return of.slowerBy === null ? figure : `${figure} · ${slowerText(of)}`;
}

/** Returns "rank 5 is 18 % slower here". Call it only if `slowerBy` is not null. */
export function slowerText({slowestRank, slowerBy}: LineRanks): string {
  return say('rank {0} is {1} slower here', slowestRank, formatPercent(slowerBy ?? NaN, 1));
}

/** Returns the spread over the ranks, for a hover. */
export function lineRanksSpread(of: LineRanks): string {
  const {ranks, meanNs, minNs, medianNs, maxNs, fastestRank, slowestRank} = of;
  return say(
    'Over {0} ranks: least {1} (rank {2}), median {3}, mean {4}, most {5} (rank {6}).',
    ...[formatCount(ranks), perText(of, minNs), fastestRank, perText(of, medianNs), perText(of, meanNs)],
    ...[perText(of, maxNs), slowestRank],
  );
}

function perText({per}: LineRanks, ns: number): string {
  return formatDuration(ns) + (per === 'step' ? '/step' : '');
}
