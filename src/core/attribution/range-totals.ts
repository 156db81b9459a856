import type {Trace} from '../trace/trace.js';
import type {Attribution} from './attribute.js';
import {backwardUnmatched, outsideAnyRange} from './credit.js';
import type {Enclosing} from './enclosing.js';
import type {RangeGroups} from './range-groups.js';

/** Work that belongs to no range, by the reason why. They follow the groups in `RangeTotals`, in this order. */
export const buckets = ['(outside any range)', '(no launch call)', '(backward, unmatched)'] as const;
const noLaunchBucket = buckets.indexOf('(no launch call)');
const backwardBucket = buckets.indexOf('(backward, unmatched)');

/**
 * Figures per group of ranges, then per bucket: every array is `groups.length + buckets.length` long.
 *
 * @see docs/metrics.md#ranges
 */
export interface RangeTotals {
  readonly length: number;
  readonly count: Float64Array;
  readonly cpuWallNs: Float64Array;
  readonly gpuWorkNs: Float64Array;
  readonly gpuSelfNs: Float64Array;
  readonly gpuBusyNs: Float64Array;
  readonly gpuSpanNs: Float64Array;
  readonly backwardGpuWorkNs: Float64Array;
  readonly backwardGpuSelfNs: Float64Array;
  readonly operations: Float64Array;
  readonly launches: Float64Array;
}

/**
 * The totals of each group. An operation counts once per group, however deep the group's ranges nest in each other;
 * the sum of `gpuSelfNs` and `backwardGpuSelfNs` over all rows is all GPU work.
 */
export function rangeTotals(trace: Trace, attribution: Attribution, groups: RangeGroups): RangeTotals {
  const totals = new Totals(trace, groups.length + buckets.length);
  addCpuTime(trace, attribution, groups, totals);
  addGpuTime(trace, attribution, groups, totals);
  addSpans(trace, attribution, groups, totals);
  addLaunches(trace, attribution, groups, totals);
  return totals;
}

class Totals implements RangeTotals {
  readonly count: Float64Array;
  readonly cpuWallNs: Float64Array;
  readonly gpuWorkNs: Float64Array;
  readonly gpuSelfNs: Float64Array;
  readonly gpuBusyNs: Float64Array;
  readonly gpuSpanNs: Float64Array;
  readonly backwardGpuWorkNs: Float64Array;
  readonly backwardGpuSelfNs: Float64Array;
  readonly operations: Float64Array;
  readonly launches: Float64Array;
  /** (group, device) → end of what the group has covered of the device so far. */
  readonly #coveredToNs: Float64Array;
  readonly #deviceIndex: ReadonlyMap<number, number>;
  readonly #lastVisit: Float64Array;
  readonly #unvisited: number[] = [];
  #visit = 0;

  constructor(
    trace: Trace,
    readonly length: number,
  ) {
    const column = () => new Float64Array(length);
    this.count = column();
    this.cpuWallNs = column();
    this.gpuWorkNs = column();
    this.gpuSelfNs = column();
    this.gpuBusyNs = column();
    this.gpuSpanNs = column();
    this.backwardGpuWorkNs = column();
    this.backwardGpuSelfNs = column();
    this.operations = column();
    this.launches = column();
    this.#deviceIndex = new Map(trace.devices.map(({id}, index) => [id, index]));
    this.#coveredToNs = new Float64Array(length * Math.max(1, trace.devices.length)).fill(-Infinity);
    this.#lastVisit = new Float64Array(length).fill(-1);
  }

  /** Begins a new visit, in which `unvisited` gives each group once. */
  nextVisit(): void {
    this.#visit++;
  }

  /** The groups of a row's ranges that this visit has not met yet. The array is reused by the next call. */
  unvisited({offsets, containers}: Enclosing, row: number, {groupOf}: RangeGroups): readonly number[] {
    this.#unvisited.length = 0;
    for (let i = offsets[row]; i < offsets[row + 1]; i++) {
      const group = groupOf[containers[i]];
      if (group < 0 || this.#lastVisit[group] === this.#visit) continue;
      this.#lastVisit[group] = this.#visit;
      this.#unvisited.push(group);
    }
    return this.#unvisited;
  }

  /**
   * Counts an operation that autograd launched for the forward operator of `row`, into every group around that and as
   * `target`'s own. Forward and backward never share an operation: a group around both ends counts it as backward.
   */
  addBackward(forward: Enclosing, row: number, target: number, groups: RangeGroups, durationNs: number): void {
    for (const group of this.unvisited(forward, row, groups)) this.backwardGpuWorkNs[group] += durationNs;
    if (target >= groups.length) this.backwardGpuWorkNs[target] += durationNs;
    this.backwardGpuSelfNs[target] += durationNs;
  }

  /** Counts an operation into a group; operations come in order of start, so one number holds the union. */
  addOperation(group: number, device: number, startNs: number, durationNs: number): void {
    this.gpuWorkNs[group] += durationNs;
    this.operations[group]++;
    const cover = group * this.#deviceIndex.size + (this.#deviceIndex.get(device) ?? 0);
    const fromNs = Math.max(startNs, this.#coveredToNs[cover]);
    const toNs = startNs + durationNs;
    if (toNs <= fromNs) return;
    this.gpuBusyNs[group] += toNs - fromNs;
    this.#coveredToNs[cover] = toNs;
  }
}

function addCpuTime({slices}: Trace, {ranges}: Attribution, {groupOf}: RangeGroups, totals: Totals): void {
  for (let range = 0; range < groupOf.length; range++) {
    const group = groupOf[range];
    if (group < 0) continue;
    totals.count[group]++;
    totals.cpuWallNs[group] += slices.durationNs[ranges.slice[range]];
  }
}

function addGpuTime(trace: Trace, attribution: Attribution, groups: RangeGroups, totals: Totals): void {
  const {slices, gpuOperations} = trace;
  const {siteOf, own, overlay, credit} = attribution;
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const slice = gpuOperations.slice[operation];
    const startNs = slices.startNs[slice];
    const durationNs = slices.durationNs[slice];
    const device = gpuOperations.device[operation];
    const site = siteOf[operation];
    const target = site < 0 ? groups.length + noLaunchBucket : creditedGroup(credit.range[site], groups);
    totals.nextVisit();
    if (site >= 0 && credit.forwardRow[site] >= 0) {
      totals.addBackward(credit.forward, credit.forwardRow[site], target, groups, durationNs);
    } else {
      totals.gpuSelfNs[target] += durationNs;
      if (target >= groups.length) totals.addOperation(target, device, startNs, durationNs);
    }
    if (site < 0) continue;
    for (const found of [own, overlay]) {
      for (const group of totals.unvisited(found, site, groups)) {
        totals.addOperation(group, device, startNs, durationNs);
      }
    }
  }
}

/** The group of a credited range (-1 where it is in none), or the bucket. Writing to index -1 of a column does nothing. */
function creditedGroup(range: number, {groupOf, length}: RangeGroups): number {
  if (range === outsideAnyRange) return length;
  return range === backwardUnmatched ? length + backwardBucket : groupOf[range];
}

/** Sum over instances of first start to last end of the operations launched inside: Nsight's projection. */
function addSpans(trace: Trace, attribution: Attribution, {groupOf}: RangeGroups, totals: Totals): void {
  const {fromNs, toNs} = projectRanges(trace, attribution);
  for (let range = 0; range < groupOf.length; range++) {
    if (groupOf[range] >= 0 && toNs[range] >= fromNs[range])
      totals.gpuSpanNs[groupOf[range]] += toNs[range] - fromNs[range];
  }
}

/**
 * Range → first start and last end of the operations launched inside it on its own thread (start/end ranges: in its
 * process); `toNs` is below `fromNs` where there are none.
 *
 * @see docs/metrics.md#gpu-span
 */
export function projectRanges(trace: Trace, attribution: Attribution): {fromNs: Float64Array; toNs: Float64Array} {
  const {slices, gpuOperations} = trace;
  const {siteOf, own, overlay, ranges} = attribution;
  const fromNs = new Float64Array(ranges.slice.length).fill(Infinity);
  const toNs = new Float64Array(ranges.slice.length).fill(-Infinity);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const site = siteOf[operation];
    if (site < 0) continue;
    const slice = gpuOperations.slice[operation];
    for (const {offsets, containers} of [own, overlay]) {
      for (let i = offsets[site]; i < offsets[site + 1]; i++) {
        const range = containers[i];
        fromNs[range] = Math.min(fromNs[range], slices.startNs[slice]);
        toNs[range] = Math.max(toNs[range], slices.startNs[slice] + slices.durationNs[slice]);
      }
    }
  }
  return {fromNs, toNs};
}

function addLaunches(trace: Trace, attribution: Attribution, groups: RangeGroups, totals: Totals): void {
  const {callOf, siteOf, own, overlay, credit} = attribution;
  const seen = new Uint8Array(trace.apiCalls.length);
  for (let operation = 0; operation < callOf.length; operation++) {
    const call = callOf[operation];
    if (call < 0 || seen[call] === 1) continue;
    seen[call] = 1;
    const site = siteOf[operation];
    totals.nextVisit();
    for (const found of [own, overlay]) {
      for (const group of totals.unvisited(found, site, groups)) totals.launches[group]++;
    }
    const target = creditedGroup(credit.range[site], groups);
    if (target >= groups.length && credit.forwardRow[site] < 0) totals.launches[target]++;
  }
}
