import type {Trace} from '../trace/trace.js';
import type {Attribution} from './attribute.js';
import {operationsNearChosen, type Chosen} from './chosen.js';
import type {GroupChains} from './group-chains.js';
import {handDown} from './gpu-totals.js';
import {buckets, noLaunchBucket, type SiteChains} from './site-chains.js';
import type {RangeTotals} from './totals-columns.js';

/**
 * Adds busy time: the union of the operations of each group, per device.
 *
 * Operations are sorted by start. Most of them overlap no other operation of their device, or only operations of the
 * same groups: their union is summed on their chain, which is then handed down once. Only operations that overlap those
 * of other groups are added group by group.
 */
export function addBusy(
  {slices, gpuOperations, devices}: Trace,
  {sites}: Pick<Attribution, 'sites'>,
  {chains, forward, backward}: Pick<SiteChains, 'chains' | 'forward' | 'backward'>,
  chosen: Chosen,
  totals: RangeTotals,
): void {
  const {operations, fromNs: windowFromNs, toNs: windowToNs} = chosen;
  const {first, end} = operationsNearChosen(chosen, {gpuOperations});
  const noLaunch = chains.inside(-1, totals.length - buckets.length + noLaunchBucket);
  const inForward = new ChainUnion(chains, totals.length, devices.length);
  const inBackward = new ChainUnion(chains, totals.length, devices.length);
  const indexOfDevice = new Map(devices.map(({id}, index) => [id, index]));
  let device = NaN;
  let index = 0;
  for (let operation = first; operation < end; operation++) {
    if (operations !== null && operations[operation] === 0) continue;
    if (gpuOperations.device[operation] !== device) {
      device = gpuOperations.device[operation];
      index = indexOfDevice.get(device) ?? 0;
    }
    const slice = gpuOperations.slice[operation];
    const startNs = Math.max(slices.startNs[slice], windowFromNs);
    const endNs = Math.min(slices.startNs[slice] + slices.durationNs[slice], windowToNs);
    const site = sites.siteOf[operation];
    inForward.add(index, site < 0 ? noLaunch : forward[site], startNs, endNs);
    if (site >= 0) inBackward.add(index, backward[site], startNs, endNs);
  }
  inForward.addTo(totals.gpuBusyNs);
  inBackward.addTo(totals.backwardGpuBusyNs);
}

/** A tree of chains: each adds a group to its parent's, which is -1 for none and comes before it. */
export type Chains = Pick<GroupChains, 'length' | 'group' | 'parent'>;

/** Sums the union of intervals by group and device. The intervals of a device are added in the order of their start. */
export class ChainUnion {
  /** Chain → the sum of runs of its intervals alone. */
  readonly #aloneNs: Float64Array;
  /** Group → the sum of intervals that were added group by group. */
  readonly #mixedNs: Float64Array;
  /** Device and group → the end of those intervals. */
  readonly #mixedToNs: Float64Array;
  /** Device → the last run of overlapping intervals, and its chain. */
  readonly #startNs: Float64Array;
  readonly #endNs: Float64Array;
  readonly #chain: Int32Array;
  /** Device → 1 if the run is of several chains, and is added group by group. */
  readonly #isMixed: Uint8Array;

  /** @param chains all chains: none may be added later */
  constructor(
    private readonly chains: Chains,
    private readonly groups: number,
    devices: number,
  ) {
    const count = Math.max(1, devices);
    this.#aloneNs = new Float64Array(chains.length);
    this.#mixedNs = new Float64Array(groups);
    this.#mixedToNs = new Float64Array(groups * count).fill(-Infinity);
    this.#startNs = new Float64Array(count);
    this.#endNs = new Float64Array(count).fill(-Infinity);
    this.#chain = new Int32Array(count).fill(-1);
    this.#isMixed = new Uint8Array(count);
  }

  /** Adds an interval to the groups of a chain, -1 for none. */
  add(device: number, chain: number, startNs: number, endNs: number): void {
    if (chain < 0 || endNs <= startNs) return;
    if (startNs >= this.#endNs[device]) {
      this.#endRun(device);
      this.#startNs[device] = startNs;
      this.#endNs[device] = endNs;
      this.#chain[device] = chain;
      return;
    }
    if (this.#isMixed[device] === 1 || chain !== this.#chain[device]) {
      if (this.#isMixed[device] === 0)
        this.#cover(device, this.#chain[device], this.#startNs[device], this.#endNs[device]);
      this.#isMixed[device] = 1;
      this.#cover(device, chain, startNs, endNs);
    }
    if (endNs > this.#endNs[device]) this.#endNs[device] = endNs;
  }

  /** Adds the sums by group. Call it once, after the last interval. */
  addTo(busyNs: Float64Array): void {
    for (let device = 0; device < this.#isMixed.length; device++) this.#endRun(device);
    for (let group = 0; group < this.groups; group++) busyNs[group] += this.#mixedNs[group];
    handDown(this.chains, this.#aloneNs, busyNs);
  }

  #endRun(device: number): void {
    if (this.#isMixed[device] === 0 && this.#chain[device] >= 0) {
      this.#aloneNs[this.#chain[device]] += this.#endNs[device] - this.#startNs[device];
    }
    this.#isMixed[device] = 0;
    this.#chain[device] = -1;
  }

  #cover(device: number, innermost: number, startNs: number, endNs: number): void {
    const {group, parent} = this.chains;
    const firstOfDevice = device * this.groups;
    for (let chain = innermost; chain >= 0; chain = parent[chain]) {
      const at = group[chain];
      const coveredNs = this.#mixedToNs[firstOfDevice + at];
      if (endNs <= coveredNs) continue;
      this.#mixedNs[at] += endNs - (startNs > coveredNs ? startNs : coveredNs);
      this.#mixedToNs[firstOfDevice + at] = endNs;
    }
  }
}
