import type {Trace} from '../trace/trace.js';
import type {Attribution} from './attribute.js';
import {ChainUnion} from './busy-totals.js';
import type {Condensed} from './condensed.js';
import {wholeSums, type WholeSums} from './whole-sums.js';
import {siteFlag} from './credit.js';
import {handDown} from './gpu-totals.js';
import type {KindSums} from './kind-sums.js';
import {buckets, chainsOfSites, noLaunchBucket, type SiteChains} from './site-chains.js';
import {emptyTotals, type RangeTotals} from './totals-columns.js';

/** Call paths in groups. */
export interface PathGroups {
  readonly length: number;
  /** Path → group, -1 for paths without a group. */
  readonly ofPath: Int32Array;
}

/**
 * Returns the totals of each group over the whole trace, as `rangeTotals` does.
 *
 * The sums by path and by kind of site are kept: only busy time, which is a union, reads every operation each time.
 */
export function pathTotals(
  trace: Trace,
  attribution: Attribution,
  whole: Condensed,
  {length, ofPath}: PathGroups,
): RangeTotals {
  const sums = wholeSums(trace, attribution, whole);
  const totals = emptyTotals(length + buckets.length);
  addInstances(sums, whole, ofPath, totals);
  const sites = chainsOfSites(whole, {length, groupOf: ofPath});
  const noLaunch = length + noLaunchBucket;
  const kinds = {
    chains: sites.chains,
    forward: withLast(sites.forward, sites.chains.inside(-1, noLaunch)),
    backward: withLast(sites.backward, -1),
    target: withLast(sites.target, noLaunch),
  };
  addBlocked(sums, kinds, ofPath, totals);
  addWork(whole, sums.ofKind, kinds, totals);
  addBusy(trace, attribution, whole, kinds, totals);
  return totals;
}

/** Adds the value for operations without a site. */
function withLast(ofKind: Int32Array, last: number): Int32Array {
  const all = new Int32Array(ofKind.length + 1);
  all.set(ofKind);
  all[ofKind.length] = last;
  return all;
}

/** Adds what is a sum over the ranges of a group. */
function addInstances({spans}: WholeSums, {paths}: Condensed, ofPath: Int32Array, totals: RangeTotals): void {
  for (let path = 0; path < ofPath.length; path++) {
    const group = ofPath[path];
    if (group < 0) continue;
    totals.count[group] += paths.count[path];
    totals.cpuWallNs[group] += paths.cpuWallNs[path];
    totals.cpuSelfNs[group] += paths.cpuSelfNs[path];
    totals.countWithWork[group] += spans.countWithWork[path];
    totals.gpuSpanNs[group] += spans.gpuSpanNs[path];
    totals.gpuTailNs[group] += spans.gpuTailNs[path];
    totals.assumed[group] += spans.assumed[path];
  }
}

/** Adds work, operations and launches, and the parts of the work that are credited and recomputed. */
function addWork(
  {kinds, credit}: Condensed,
  ofKind: KindSums,
  {chains, forward, backward, target}: SiteChains,
  totals: RangeTotals,
): void {
  const flagsOf = (kind: number) => (kind < kinds ? credit.flags[kind] : 0);
  for (let kind = 0; kind <= kinds; kind++) {
    const selfNs = (flagsOf(kind) & siteFlag.backward) !== 0 ? totals.backwardGpuSelfNs : totals.gpuSelfNs;
    if (target[kind] >= 0) selfNs[target[kind]] += ofKind.workNs[kind];
  }
  const add = (chainOf: Int32Array, column: keyof Omit<RangeTotals, 'length'>, of: (kind: number) => number) => {
    const sums = new Float64Array(chains.length);
    for (let kind = 0; kind <= kinds; kind++) if (chainOf[kind] >= 0) sums[chainOf[kind]] += of(kind);
    handDown(chains, sums, totals[column]);
  };
  const recomputeNs = (kind: number) => ((flagsOf(kind) & siteFlag.recompute) !== 0 ? ofKind.workNs[kind] : 0);
  const {workNs, operations, launches, assumed} = ofKind;
  add(forward, 'gpuWorkNs', kind => workNs[kind]);
  add(forward, 'operations', kind => operations[kind]);
  add(forward, 'launches', kind => launches[kind]);
  add(forward, 'assumed', kind => assumed[kind]);
  add(forward, 'recomputeGpuWorkNs', recomputeNs);
  add(backward, 'backwardGpuWorkNs', kind => workNs[kind]);
  add(backward, 'backwardOperations', kind => operations[kind]);
  add(backward, 'backwardLaunches', kind => launches[kind]);
  add(backward, 'assumed', kind => ((flagsOf(kind) & siteFlag.assumed) !== 0 ? operations : assumed)[kind]);
  add(backward, 'recomputeGpuWorkNs', recomputeNs);
}

function addBlocked({blocked}: WholeSums, {chains}: SiteChains, ofPath: Int32Array, totals: RangeTotals): void {
  const chainOf = chains.ofStacks(blocked.stacks, ofPath);
  const sums = new Float64Array(chains.length);
  for (let stack = 0; stack < chainOf.length; stack++)
    if (chainOf[stack] >= 0) sums[chainOf[stack]] += blocked.ns[stack];
  handDown(chains, sums, totals.cpuBlockedNs);
}

function addBusy(
  {slices, gpuOperations, devices}: Trace,
  {sites: {siteOf}}: Attribution,
  {kindOf, kinds}: Condensed,
  {chains, forward, backward}: SiteChains,
  totals: RangeTotals,
): void {
  const {startNs, durationNs} = slices;
  const {slice, device, length} = gpuOperations;
  const inForward = new ChainUnion(chains, totals.length, devices.length);
  const inBackward = new ChainUnion(chains, totals.length, devices.length);
  const indexOfDevice = new Map(devices.map(({id}, index) => [id, index]));
  let id = NaN;
  let index = 0;
  for (let operation = 0; operation < length; operation++) {
    if (device[operation] !== id) {
      id = device[operation];
      index = indexOfDevice.get(id) ?? 0;
    }
    const beginNs = startNs[slice[operation]];
    const site = siteOf[operation];
    const kind = site < 0 ? kinds : kindOf[site];
    const endNs = beginNs + durationNs[slice[operation]];
    inForward.add(index, forward[kind], beginNs, endNs);
    inBackward.add(index, backward[kind], beginNs, endNs);
  }
  inForward.addTo(totals.gpuBusyNs);
  inBackward.addTo(totals.backwardGpuBusyNs);
}
