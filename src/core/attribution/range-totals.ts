import type {Trace} from '../trace/trace.js';
import type {Attribution} from './attribute.js';
import {backwardUnmatched, outsideAnyRange} from './credit.js';
import {GroupChains} from './group-chains.js';
import {projectRanges} from './project-ranges.js';
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
  const length = groups.length + buckets.length;
  const column = () => new Float64Array(length);
  const totals = {
    length,
    count: column(),
    cpuWallNs: column(),
    gpuWorkNs: column(),
    gpuSelfNs: column(),
    gpuBusyNs: column(),
    gpuSpanNs: column(),
    backwardGpuWorkNs: column(),
    backwardGpuSelfNs: column(),
    operations: column(),
    launches: column(),
  };
  const sites = chainsOfSites(attribution, groups);
  addCpuTime(trace, attribution, groups, totals);
  addSelf(trace, attribution, sites.target, groups, totals);
  addWork(trace, attribution, sites, totals);
  addBusy(trace, attribution, sites, totals);
  addSpans(trace, attribution, groups, totals);
  return totals;
}

/** The groups that count what is launched at each site. */
interface SiteChains {
  readonly chains: GroupChains;
  /** Site → chain of the groups around it, the bucket among them where it is credited to one. */
  readonly own: Int32Array;
  /** Site → of those the ones that count its work as forward: all, without those that count it as backward. */
  readonly forwardWork: Int32Array;
  /** Site → chain of the groups that count its work as backward: those around the forward operator. */
  readonly backwardWork: Int32Array;
  /** Site → group or bucket that it is credited to, -1 where that is a range of no group. */
  readonly target: Int32Array;
}

function chainsOfSites(attribution: Attribution, groups: RangeGroups): SiteChains {
  const {stacks, own, overlay, credit} = attribution;
  const chains = new GroupChains();
  const chainOf = chains.ofStacks(stacks, groups.groupOf);
  const length = own.length;
  const result = {
    chains,
    own: new Int32Array(length),
    forwardWork: new Int32Array(length),
    backwardWork: new Int32Array(length).fill(-1),
    target: new Int32Array(length),
  };
  for (let site = 0; site < length; site++) {
    const target = creditedGroup(credit.range[site], groups);
    let chain = own[site] < 0 ? -1 : chainOf[own[site]];
    if (overlay[site] >= 0) chain = chains.joined(chain, chainOf[overlay[site]]);
    const isBackward = credit.forwardOperator[site] >= 0;
    const bucket = target >= groups.length ? target : -1;
    if (!isBackward) chain = chains.inside(chain, bucket);
    result.target[site] = target;
    result.own[site] = chain;
    result.forwardWork[site] = chain;
    if (!isBackward) continue;
    const forward = credit.forward[site] < 0 ? -1 : chainOf[credit.forward[site]];
    result.backwardWork[site] = chains.inside(forward, bucket);
    if (chain >= 0 && forward >= 0) result.forwardWork[site] = chains.without(chain, forward);
  }
  return result;
}

/** The group of a credited range (-1 where it is in none), or the bucket. */
function creditedGroup(range: number, {groupOf, length}: RangeGroups): number {
  if (range === outsideAnyRange) return length;
  return range === backwardUnmatched ? length + backwardBucket : groupOf[range];
}

function addCpuTime({slices}: Trace, {ranges}: Attribution, {groupOf}: RangeGroups, totals: RangeTotals): void {
  for (let range = 0; range < groupOf.length; range++) {
    const group = groupOf[range];
    if (group < 0) continue;
    totals.count[group]++;
    totals.cpuWallNs[group] += slices.durationNs[ranges.slice[range]];
  }
}

/** Credits each operation once. */
function addSelf(
  {slices, gpuOperations}: Trace,
  {sites, credit}: Attribution,
  target: Int32Array,
  groups: RangeGroups,
  totals: RangeTotals,
): void {
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const site = sites.siteOf[operation];
    const group = site < 0 ? groups.length + noLaunchBucket : target[site];
    if (group < 0) continue;
    const selfNs = site >= 0 && credit.forwardOperator[site] >= 0 ? totals.backwardGpuSelfNs : totals.gpuSelfNs;
    selfNs[group] += slices.durationNs[gpuOperations.slice[operation]];
  }
}

/** Sums what counts for a group, on the chain it is innermost in first: then each chain is handed down once. */
function addWork(
  {slices, gpuOperations}: Trace,
  {sites}: Attribution,
  {chains, own, forwardWork, backwardWork}: SiteChains,
  totals: RangeTotals,
): void {
  const {length} = chains;
  const workNs = new Float64Array(length);
  const backwardNs = new Float64Array(length);
  const operations = new Float64Array(length);
  const launches = new Float64Array(length);
  const noLaunch = totals.length - buckets.length + noLaunchBucket;
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const durationNs = slices.durationNs[gpuOperations.slice[operation]];
    const site = sites.siteOf[operation];
    if (site < 0) {
      totals.gpuWorkNs[noLaunch] += durationNs;
      totals.operations[noLaunch]++;
      continue;
    }
    if (forwardWork[site] >= 0) {
      workNs[forwardWork[site]] += durationNs;
      operations[forwardWork[site]]++;
    }
    if (backwardWork[site] >= 0) backwardNs[backwardWork[site]] += durationNs;
  }
  for (let site = 0; site < own.length; site++) {
    if (sites.isCall[site] === 1 && own[site] >= 0) launches[own[site]]++;
  }
  for (const [ofChain, ofGroup] of [
    [workNs, totals.gpuWorkNs],
    [backwardNs, totals.backwardGpuWorkNs],
    [operations, totals.operations],
    [launches, totals.launches],
  ]) {
    handDown(chains, ofChain, ofGroup);
  }
}

/** Adds what each chain has to its innermost group and to the chain around it; a group is once on a chain. */
function handDown({length, group, parent}: GroupChains, ofChain: Float64Array, ofGroup: Float64Array): void {
  for (let chain = length - 1; chain >= 0; chain--) {
    ofGroup[group[chain]] += ofChain[chain];
    if (parent[chain] >= 0) ofChain[parent[chain]] += ofChain[chain];
  }
}

/** Operations come in order of start, so one number per group and device holds their union. */
function addBusy(
  {slices, gpuOperations, devices}: Trace,
  {sites}: Attribution,
  {chains, forwardWork}: SiteChains,
  totals: RangeTotals,
): void {
  const {group, parent} = chains;
  const {gpuBusyNs} = totals;
  const coveredToNs = new Float64Array(totals.length * Math.max(1, devices.length)).fill(-Infinity);
  const firstOfDevice = new Map(devices.map(({id}, index) => [id, index * totals.length]));
  const noLaunch = totals.length - buckets.length + noLaunchBucket;
  let device = NaN;
  let first = 0;
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (gpuOperations.device[operation] !== device) {
      device = gpuOperations.device[operation];
      first = firstOfDevice.get(device) ?? 0;
    }
    const slice = gpuOperations.slice[operation];
    const startNs = slices.startNs[slice];
    const endNs = startNs + slices.durationNs[slice];
    const site = sites.siteOf[operation];
    if (site < 0) cover(noLaunch, startNs, endNs);
    else for (let chain = forwardWork[site]; chain >= 0; chain = parent[chain]) cover(group[chain], startNs, endNs);
  }

  function cover(at: number, startNs: number, endNs: number): void {
    const coveredNs = coveredToNs[first + at];
    if (endNs <= coveredNs) return;
    gpuBusyNs[at] += endNs - (startNs > coveredNs ? startNs : coveredNs);
    coveredToNs[first + at] = endNs;
  }
}

/** Sum over instances of first start to last end of the operations launched inside. */
function addSpans(trace: Trace, attribution: Attribution, {groupOf}: RangeGroups, totals: RangeTotals): void {
  const {fromNs, toNs} = projectRanges(trace, attribution);
  for (let range = 0; range < groupOf.length; range++) {
    if (groupOf[range] >= 0 && toNs[range] >= fromNs[range])
      totals.gpuSpanNs[groupOf[range]] += toNs[range] - fromNs[range];
  }
}
