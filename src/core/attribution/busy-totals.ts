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
  const union = new GroupUnion(chains, totals, devices.length);
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
    const startNs = slices.startNs[slice];
    const endNs = Math.min(startNs + slices.durationNs[slice], windowToNs);
    const site = sites.siteOf[operation];
    union.add(
      index,
      site < 0 ? noLaunch : forward[site],
      site < 0 ? -1 : backward[site],
      startNs > windowFromNs ? startNs : windowFromNs,
      endNs,
    );
  }
  union.finish();
}

/** The union of operations by group and device. Operations of a device are added in the order of their start. */
export class GroupUnion {
  /** Chain → the sum of runs that belong to its groups alone. */
  readonly #forwardNs: Float64Array;
  readonly #backwardNs: Float64Array;
  /** Device and group → the end of what was added group by group. */
  readonly #forwardToNs: Float64Array;
  readonly #backwardToNs: Float64Array;
  /** Device → the run of overlapping operations that was added last, and its chains. */
  readonly #startNs: Float64Array;
  readonly #endNs: Float64Array;
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  /** Device → 1 if the run is of several chains, so that it was added group by group. */
  readonly #isMixed: Uint8Array;

  /** @param chains all chains, since none may be added later */
  constructor(
    private readonly chains: GroupChains,
    private readonly totals: RangeTotals,
    devices: number,
  ) {
    const count = Math.max(1, devices);
    this.#forwardNs = new Float64Array(chains.length);
    this.#backwardNs = new Float64Array(chains.length);
    this.#forwardToNs = new Float64Array(totals.length * count).fill(-Infinity);
    this.#backwardToNs = new Float64Array(totals.length * count).fill(-Infinity);
    this.#startNs = new Float64Array(count).fill(-Infinity);
    this.#endNs = new Float64Array(count).fill(-Infinity);
    this.#forward = new Int32Array(count).fill(-1);
    this.#backward = new Int32Array(count).fill(-1);
    this.#isMixed = new Uint8Array(count);
  }

  /**
   * Adds an operation.
   *
   * @param forward the chain of groups that count it as forward work, -1 for none
   * @param backward the same for backward work
   */
  add(device: number, forward: number, backward: number, startNs: number, endNs: number): void {
    if (endNs <= startNs) return;
    if (startNs >= this.#endNs[device]) {
      this.#endRun(device);
      this.#startNs[device] = startNs;
      this.#endNs[device] = endNs;
      this.#forward[device] = forward;
      this.#backward[device] = backward;
      return;
    }
    const isMixed = this.#isMixed[device] === 1;
    if (isMixed || forward !== this.#forward[device] || backward !== this.#backward[device]) {
      if (!isMixed)
        this.#cover(device, this.#forward[device], this.#backward[device], this.#startNs[device], this.#endNs[device]);
      this.#isMixed[device] = 1;
      this.#cover(device, forward, backward, startNs, endNs);
    }
    if (endNs > this.#endNs[device]) this.#endNs[device] = endNs;
  }

  /** Adds the sums to the totals. */
  finish(): void {
    for (let device = 0; device < this.#isMixed.length; device++) this.#endRun(device);
    handDown(this.chains, this.#forwardNs, this.totals.gpuBusyNs);
    handDown(this.chains, this.#backwardNs, this.totals.backwardGpuBusyNs);
  }

  #endRun(device: number): void {
    const isMixed = this.#isMixed[device] === 1;
    this.#isMixed[device] = 0;
    if (isMixed || this.#endNs[device] === -Infinity) return;
    const ns = this.#endNs[device] - this.#startNs[device];
    if (this.#forward[device] >= 0) this.#forwardNs[this.#forward[device]] += ns;
    if (this.#backward[device] >= 0) this.#backwardNs[this.#backward[device]] += ns;
    this.#endNs[device] = -Infinity;
  }

  #cover(device: number, forward: number, backward: number, startNs: number, endNs: number): void {
    const {gpuBusyNs, backwardGpuBusyNs} = this.totals;
    this.#coverChain(gpuBusyNs, this.#forwardToNs, device, forward, startNs, endNs);
    this.#coverChain(backwardGpuBusyNs, this.#backwardToNs, device, backward, startNs, endNs);
  }

  #coverChain(
    busyNs: Float64Array,
    toNs: Float64Array,
    device: number,
    innermost: number,
    startNs: number,
    endNs: number,
  ): void {
    const {group, parent} = this.chains;
    const firstOfDevice = device * this.totals.length;
    for (let chain = innermost; chain >= 0; chain = parent[chain]) {
      const at = group[chain];
      const coveredNs = toNs[firstOfDevice + at];
      if (endNs <= coveredNs) continue;
      busyNs[at] += endNs - (startNs > coveredNs ? startNs : coveredNs);
      toNs[firstOfDevice + at] = endNs;
    }
  }
}
