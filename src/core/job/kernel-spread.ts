import {getOrAdd} from '../table/get-or-add.js';
import type {JobRank} from './job-rank.js';
import {rangeMeasure, spreadOf, type RankSpread} from './rank-spread.js';

/** Kernels of one name over the ranks: their GPU work on each. */
export interface KernelSpread extends RankSpread {
  readonly name: string;
  /** The most minus the least. */
  readonly spreadNs: number;
  /** How often they ran on all ranks. */
  readonly count: number;
}

/**
 * Returns the kernels of each name over the ranks that have them, the largest difference first. Their work is the mean
 * per step if every rank has steps, else the sum.
 *
 * @see docs/metrics.md#job-kernels
 */
export function kernelSpreads(ranks: readonly JobRank[]): KernelSpread[] {
  const {per} = rangeMeasure(ranks);
  const byName = new Map<string, {count: number; values: {rank: number; ns: number}[]}>();
  for (const {rank, kernels, steps} of ranks) {
    for (const {name, count, gpuWorkNs} of kernels) {
      const ofName = getOrAdd(byName, name, () => ({count: 0, values: []}));
      ofName.count += count;
      ofName.values.push({rank, ns: per === 'step' ? gpuWorkNs / steps.length : gpuWorkNs});
    }
  }
  return [...byName]
    .map(([name, {count, values}]) => {
      const over = spreadOf(values);
      return {name, ...over, spreadNs: over.maxNs - over.minNs, count};
    })
    .sort((a, b) => b.spreadNs - a.spreadNs || b.maxNs - a.maxNs);
}
