import {median} from '../base/median.js';
import type {JobView} from './job-view.js';

export const standings = ['fastest', 'median', 'slowest'] as const;
export type Standing = (typeof standings)[number];

/**
 * Returns each rank's time in a step without waiting for other ranks, in the order of the report; NaN for a rank
 * without steps. Ranks synchronise gradients in each step, which makes all steps equally long: only a rank's own time
 * distinguishes it.
 *
 * @see docs/metrics.md#job-views
 */
export function ownStepNs({report, stepNs, stepWaitNs}: JobView): number[] {
  const columns = report.steps.length;
  return report.ranks.map((_, row) => {
    const own: number[] = [];
    for (let cell = row * columns; cell < (row + 1) * columns; cell++) {
      if (!Number.isNaN(stepNs[cell])) own.push(stepNs[cell] - (Number.isNaN(stepWaitNs[cell]) ? 0 : stepWaitNs[cell]));
    }
    return own.length === 0 ? NaN : median(own);
  });
}

/** Returns the fastest, median and slowest rank by their own time; empty if fewer than two ranks have steps. */
export function rankStandings(view: JobView): Map<number, Standing> {
  const ranks = ownStepNs(view)
    .map((ns, at) => ({rank: view.report.ranks[at].rank, ns}))
    .filter(({ns}) => !Number.isNaN(ns))
    .sort((a, b) => a.ns - b.ns || b.rank - a.rank);
  if (ranks.length < 2) return new Map();
  const found = new Map<number, Standing>();
  if (ranks.length > 2) found.set(ranks[(ranks.length - 1) >> 1].rank, 'median');
  return found.set(ranks[0].rank, 'fastest').set(ranks[ranks.length - 1].rank, 'slowest');
}
