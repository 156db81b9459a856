import type {Collective} from '../estimate/layer-cost.js';
import type {Precision} from '../estimate/precision.js';
import type {MeasuredBandwidth, System} from '../estimate/system.js';
import {busFactor, type CollectiveOperation} from '../figures/collective-bandwidth.js';
import {collectiveCalls} from '../figures/collective-calls.js';
import type {ReportInput} from '../figures/report-input.js';
import {workingOperators} from './costed-operators.js';

/** The measured figures of a system, from a profile. */
export interface Calibration {
  /** Σ operations ÷ Σ GPU work of large products, by precision. */
  readonly matrixFlopsPerSecond: Readonly<Partial<Record<Precision, number>>>;
  /** Σ bytes ÷ Σ GPU work of large operators without products; null if there are none. */
  readonly hbmBytesPerSecond: number | null;
  /** The fastest call of each collective operation, group and size. */
  readonly measured: readonly MeasuredBandwidth[];
}

/**
 * Smaller operators measure launches and tails: a large product takes some microseconds, and a large tensor does not
 * fit into an L2 cache.
 */
const leastFlops = 1e9;
const leastBytes = 128e6;

/**
 * Returns the figures that a profile measured, so that estimates can use what its system really reaches.
 *
 * For collectives: the cost model's volume (bus bandwidth, as NCCL's tests define it) divided by the time of the call's
 * kernels, which includes waiting for other ranks. Among calls of about one size (a power of two), the fastest counts.
 *
 * @see docs/estimate.md#calibration
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function calibrate(input: ReportInput): Calibration {
  const products = new Map<Precision, {flops: number; workNs: number}>();
  let [bytes, bytesNs] = [0, 0];
  for (const {cost, gpuWorkNs} of workingOperators(input).operators) {
    if (!cost || gpuWorkNs <= 0) continue;
    if (cost.precision !== null && cost.flops.matrix >= leastFlops) {
      const {flops, workNs} = products.get(cost.precision) ?? {flops: 0, workNs: 0};
      products.set(cost.precision, {flops: flops + cost.flops.matrix, workNs: workNs + gpuWorkNs});
    } else if (cost.flops.matrix === 0 && cost.bytes >= leastBytes) {
      bytes += cost.bytes;
      bytesNs += gpuWorkNs;
    }
  }
  return {
    matrixFlopsPerSecond: Object.fromEntries(
      Array.from(products, ([precision, {flops, workNs}]) => [precision, (flops / workNs) * 1e9]),
    ),
    hbmBytesPerSecond: bytesNs === 0 ? null : (bytes / bytesNs) * 1e9,
    measured: measuredCollectives(input),
  };
}

/** Returns a system with measured figures in place of its data sheet's. */
export function calibratedSystem(
  system: System,
  {matrixFlopsPerSecond, hbmBytesPerSecond, measured}: Calibration,
): System {
  return {
    ...system,
    matrixFlopsPerSecond: {...system.matrixFlopsPerSecond, ...matrixFlopsPerSecond},
    hbmBytesPerSecond: hbmBytesPerSecond ?? system.hbmBytesPerSecond,
    measured: [...(system.measured ?? []), ...measured],
  };
}

const collectiveOf: Readonly<Partial<Record<CollectiveOperation, Collective>>> = {
  all_reduce: 'allreduce',
  all_gather: 'allgather',
  reduce_scatter: 'reducescatter',
  all_to_all: 'alltoall',
  broadcast: 'broadcast',
  reduce: 'reduce',
};

function measuredCollectives(input: ReportInput): MeasuredBandwidth[] {
  const fastest = new Map<string, MeasuredBandwidth>();
  for (const {operation, groupSize, bytes, wholeNs, isOnCpu} of collectiveCalls(input)) {
    const collective = collectiveOf[operation];
    // The CPU's network says nothing about the GPUs' links.
    if (!collective || isOnCpu || !(groupSize > 1 && bytes > 0 && wholeNs > 0)) continue;
    const volume = bytes * busFactor(operation, groupSize);
    const measured = {collective, groupSize, bytes: volume, bytesPerSecond: (volume / wholeNs) * 1e9};
    const key = JSON.stringify([collective, groupSize, Math.round(Math.log2(volume))]);
    const known = fastest.get(key);
    if (!known || known.bytesPerSecond < measured.bytesPerSecond) fastest.set(key, measured);
  }
  return [...fastest.values()];
}
