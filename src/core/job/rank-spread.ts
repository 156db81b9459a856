import {least} from '../table/extremes.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {JobRank, RankRange} from './job-rank.js';
import {timeParts, type TimePart} from '../summary/time-parts.js';
import {median} from '../base/median.js';

/** The distribution of a figure over the ranks. */
export interface RankSpread {
  readonly minNs: number;
  readonly medianNs: number;
  readonly maxNs: number;
  /** The rank with the greatest value; the lowest rank among equals. */
  readonly slowestRank: number;
  /** The number of ranks that have the figure. */
  readonly ranks: number;
}

/** The duration of a step over the ranks. */
export interface StepSpread extends RankSpread {
  readonly step: number;
}

/** Ranges of one name over the ranks. */
export interface RangeSpread extends RankSpread {
  readonly name: string;
}

/** A part of the ranks' time, over the ranks. */
export interface PartSpread extends RankSpread {
  readonly part: TimePart;
}

/** The figure that is shown for ranges. */
export interface RangeMeasure {
  /** GPU work, including the backward pass; CPU wall time in a job without GPU work. */
  readonly measure: 'gpuWork' | 'cpuWall';
  /** The mean per step if every rank has steps, else the sum. */
  readonly per: 'step' | 'all';
}

/** Returns the duration of each step over the ranks that have it, in order. @see docs/metrics.md#job-ranks */
export function stepSpreads(ranks: readonly JobRank[]): StepSpread[] {
  const byNumber = new Map<number, {rank: number; ns: number}[]>();
  for (const {rank, steps} of ranks) {
    for (const {number, startNs, endNs} of steps) {
      getOrAdd(byNumber, number, () => []).push({rank, ns: endNs - startNs});
    }
  }
  return [...byNumber].sort(([a], [b]) => a - b).map(([step, values]) => ({step, ...spreadOf(values)}));
}

/** Returns the figure by which the job's ranges are measured. */
export function rangeMeasure(ranks: readonly JobRank[]): RangeMeasure {
  const hasGpuWork = ranks.some(({ranges}) => ranges.some(({gpuWorkNs}) => gpuWorkNs !== null));
  const haveSteps = ranks.every(({steps}) => steps.length > 0);
  return {measure: hasGpuWork ? 'gpuWork' : 'cpuWall', per: haveSteps ? 'step' : 'all'};
}

/** Returns the figure of a rank's ranges of one name. */
export function rangeNs({steps}: JobRank, {gpuWorkNs, cpuWallNs}: RankRange, {measure, per}: RangeMeasure): number {
  const ns = measure === 'gpuWork' ? (gpuWorkNs ?? 0) : cpuWallNs;
  return per === 'step' ? ns / steps.length : ns;
}

/** Returns the spread of each range name over the ranks that have it, the largest difference first. */
export function rangeSpreads(ranks: readonly JobRank[]): RangeSpread[] {
  const are = rangeMeasure(ranks);
  const byName = new Map<string, {rank: number; ns: number}[]>();
  for (const rank of ranks) {
    for (const range of rank.ranges) {
      getOrAdd(byName, range.name, () => []).push({rank: rank.rank, ns: rangeNs(rank, range, are)});
    }
  }
  return [...byName]
    .map(([name, values]) => ({name, ...spreadOf(values)}))
    .sort((a, b) => b.maxNs - b.minNs - (a.maxNs - a.minNs));
}

/**
 * Returns the spread of each part of time over the ranks whose profile gives their parts, the largest difference first.
 * A rank without a part counts as 0 ns.
 *
 * @see docs/metrics.md#job-ranks
 */
export function partSpreads(ranks: readonly Pick<JobRank, 'rank' | 'parts'>[]): PartSpread[] {
  const told = ranks.filter(({parts}) => parts.length > 0);
  return timeParts
    .filter(part => told.some(({parts}) => parts.some(one => one.part === part && one.ns > 0)))
    .map(part => ({
      part,
      ...spreadOf(told.map(({rank, parts}) => ({rank, ns: parts.find(one => one.part === part)?.ns ?? 0}))),
    }))
    .sort((a, b) => b.maxNs - b.minNs - (a.maxNs - a.minNs));
}

/** Returns the distribution of a figure over the ranks that have it. @param values at least one */
export function spreadOf(values: readonly {readonly rank: number; readonly ns: number}[]): RankSpread {
  let [slowest] = values;
  for (const one of values) {
    if (one.ns > slowest.ns || (one.ns === slowest.ns && one.rank < slowest.rank)) slowest = one;
  }
  const ns = values.map(value => value.ns);
  return {minNs: least(ns), medianNs: median(ns), maxNs: slowest.ns, slowestRank: slowest.rank, ranks: values.length};
}
