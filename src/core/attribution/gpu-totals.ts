import type {Trace} from '../trace/trace.js';
import type {Attribution} from './attribute.js';
import {rowsIn} from '../table/search.js';
import {insideNs, operationsNearChosen, type Chosen} from './chosen.js';
import {siteFlag} from './credit.js';
import type {GroupChains} from './group-chains.js';
import type {RangeGroups} from './range-groups.js';
import {buckets, noLaunchBucket, type SiteChains} from './site-chains.js';
import type {RangeTotals} from './totals-columns.js';

/** Credits each operation once. */
export function addSelf(
  {slices, gpuOperations}: Trace,
  {sites, credit}: Attribution,
  groups: RangeGroups,
  {target}: SiteChains,
  chosen: Chosen,
  totals: RangeTotals,
): void {
  const {operations} = chosen;
  const {first, end} = operationsNearChosen(chosen, {gpuOperations});
  for (let operation = first; operation < end; operation++) {
    if (operations !== null && operations[operation] === 0) continue;
    const site = sites.siteOf[operation];
    const group = site < 0 ? groups.length + noLaunchBucket : target[site];
    if (group < 0) continue;
    const isBackward = site >= 0 && (credit.flags[site] & siteFlag.backward) !== 0;
    const selfNs = isBackward ? totals.backwardGpuSelfNs : totals.gpuSelfNs;
    const slice = gpuOperations.slice[operation];
    selfNs[group] += insideNs(slices.startNs[slice], slices.durationNs[slice], chosen);
  }
}

/** Sums on the chain that counts an operation first; each chain is then handed down once. */
class ChainSums {
  readonly workNs: Float64Array;
  readonly operations: Float64Array;
  readonly launches: Float64Array;
  /** Operations for which something was assumed. */
  readonly assumed: Float64Array;

  constructor(length: number) {
    this.workNs = new Float64Array(length);
    this.operations = new Float64Array(length);
    this.launches = new Float64Array(length);
    this.assumed = new Float64Array(length);
  }

  addOperation(chain: number, ns: number, isAssumed: boolean): void {
    if (chain < 0) return;
    this.workNs[chain] += ns;
    this.operations[chain]++;
    if (isAssumed) this.assumed[chain]++;
  }

  addLaunch(chain: number): void {
    if (chain >= 0) this.launches[chain]++;
  }
}

/** Adds work, operations and launches, and the recomputed part of the work. */
export function addWork(
  {slices, gpuOperations, assumed}: Trace,
  {sites, credit}: Attribution,
  {chains, forward, backward}: SiteChains,
  chosen: Chosen,
  totals: RangeTotals,
): void {
  const {operations} = chosen;
  const {first, end} = operationsNearChosen(chosen, {gpuOperations});
  const inForward = new ChainSums(chains.length);
  const inBackward = new ChainSums(chains.length);
  const recomputeNs = new Float64Array(chains.length);
  const hasWork = new Uint8Array(forward.length);
  const noLaunch = totals.length - buckets.length + noLaunchBucket;
  const isAssumed = rowsIn(assumed);
  for (let operation = first; operation < end; operation++) {
    if (operations !== null && operations[operation] === 0) continue;
    const slice = gpuOperations.slice[operation];
    const ns = insideNs(slices.startNs[slice], slices.durationNs[slice], chosen);
    const site = sites.siteOf[operation];
    if (site < 0) {
      totals.gpuWorkNs[noLaunch] += ns;
      totals.operations[noLaunch]++;
      totals.assumed[noLaunch] += isAssumed(slice) ? 1 : 0;
      continue;
    }
    hasWork[sites.launchOf[operation]] = 1;
    inForward.addOperation(forward[site], ns, isAssumed(slice));
    inBackward.addOperation(backward[site], ns, isAssumed(slice) || hasFlag(site, siteFlag.assumed));
    if (!hasFlag(site, siteFlag.recompute)) continue;
    if (forward[site] >= 0) recomputeNs[forward[site]] += ns;
    if (backward[site] >= 0) recomputeNs[backward[site]] += ns;
  }
  for (let site = 0; site < forward.length; site++) addLaunches(site);
  handDown(chains, inForward.workNs, totals.gpuWorkNs);
  handDown(chains, inForward.operations, totals.operations);
  handDown(chains, inForward.launches, totals.launches);
  handDown(chains, inBackward.workNs, totals.backwardGpuWorkNs);
  handDown(chains, inBackward.operations, totals.backwardOperations);
  handDown(chains, inBackward.launches, totals.backwardLaunches);
  handDown(chains, recomputeNs, totals.recomputeGpuWorkNs);
  handDown(chains, inForward.assumed, totals.assumed);
  handDown(chains, inBackward.assumed, totals.assumed);

  function hasFlag(site: number, flag: number): boolean {
    return (credit.flags[site] & flag) !== 0;
  }

  function addLaunches(site: number): void {
    if (sites.isCall[site] === 0 || hasWork[site] === 0) return;
    inForward.addLaunch(forward[site]);
    inBackward.addLaunch(backward[site]);
  }
}

/** Adds the value of each chain to its innermost group and to its parent chain; a chain contains each group once. */
export function handDown(
  {length, group, parent}: Pick<GroupChains, 'length' | 'group' | 'parent'>,
  ofChain: Float64Array,
  ofGroup: Float64Array,
): void {
  for (let chain = length - 1; chain >= 0; chain--) {
    ofGroup[group[chain]] += ofChain[chain];
    if (parent[chain] >= 0) ofChain[parent[chain]] += ofChain[chain];
  }
}
