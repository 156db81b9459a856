import type {Flops} from '../estimate/layer-cost.js';
import type {Precision} from '../estimate/precision.js';
import {systemOfDevice, type SystemPreset} from '../estimate/system-presets.js';
import {vectorPeak, type System} from '../estimate/system.js';
import type {Trace} from '../trace/trace.js';

/**
 * Returns the system of a trace's GPUs, by the first GPU's name; null if the trace names none, or no preset matches.
 *
 * A name that does not determine the memory ("A100-PG509") counts as the smaller variant; `isAssumed` is then true.
 */
export function systemOfTrace(trace: Trace): {readonly preset: SystemPreset; readonly isAssumed: boolean} | null {
  const name = deviceNameOf(trace);
  const preset = systemOfDevice(name);
  return preset && {preset, isAssumed: preset.id === 'a100-40gb' && !/40 ?GB/i.test(name ?? '')};
}

/** Returns the profile's name for its first GPU; null if it has none. */
export function deviceNameOf({devices}: Trace): string | null {
  return devices.map(({name}) => name).find(name => name !== null && name !== '') ?? null;
}

/** The roofs of one GPU for products of a precision: how much it computes and moves per second. */
export interface Roofs {
  readonly flopsPerSecond: number;
  readonly bytesPerSecond: number;
  /** Operations per byte at which the roofs meet. Work with fewer is limited by memory. */
  readonly ridge: number;
}

/**
 * Returns roofs for products in a precision, or for other operations if it is null; null if the GPU does not multiply
 * this precision.
 */
export function roofsOf(system: System, precision: Precision | null): Roofs | null {
  const flopsPerSecond = peakOf(system, precision);
  if (flopsPerSecond === null) return null;
  const bytesPerSecond = system.hbmBytesPerSecond;
  return {flopsPerSecond, bytesPerSecond, ridge: flopsPerSecond / bytesPerSecond};
}

function peakOf(
  {matrixFlopsPerSecond, vectorFlopsPerSecond, ...rest}: System,
  precision: Precision | null,
): number | null {
  if (precision === null) return vectorPeak({matrixFlopsPerSecond, vectorFlopsPerSecond, ...rest}, 'fp32');
  const plain = precision === 'fp32' ? vectorFlopsPerSecond.fp32 : undefined;
  return matrixFlopsPerSecond[precision] ?? vectorFlopsPerSecond[precision] ?? plain ?? null;
}

/**
 * Returns the least time on the roofs, ns: the longer of computing and moving. Null if the peak for the products is
 * unknown, because the GPU does not multiply their precision or the precision is not recorded.
 */
export function rooflineNs(flops: Flops, bytes: number, precision: Precision | null, system: System): number | null {
  const products = flops.matrix > 0 && precision !== null ? roofsOf(system, precision) : null;
  if (flops.matrix > 0 && !products) return null;
  const others = roofsOf(system, null);
  const computeNs =
    (products ? (flops.matrix / products.flopsPerSecond) * 1e9 : 0) +
    (others ? (flops.vector / others.flopsPerSecond) * 1e9 : 0);
  return Math.max(computeNs, (bytes / system.hbmBytesPerSecond) * 1e9);
}
