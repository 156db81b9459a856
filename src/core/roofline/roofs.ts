import type {Flops} from '../estimate/layer-cost.js';
import type {Precision} from '../estimate/precision.js';
import {systemOfDevice, type SystemPreset} from '../estimate/system-presets.js';
import {vectorPeak, type System} from '../estimate/system.js';
import type {Trace} from '../trace/trace.js';

/**
 * The system of the GPUs of a trace, by the first GPU's name; null where the trace names none, or no preset fits.
 *
 * A name that leaves the memory open ("A100-PG509") is the smaller one's: `isAssumed` says so.
 */
export function systemOfTrace(trace: Trace): {readonly preset: SystemPreset; readonly isAssumed: boolean} | null {
  const name = deviceNameOf(trace);
  const preset = systemOfDevice(name);
  return preset && {preset, isAssumed: preset.id === 'a100-40gb' && !/40 ?GB/i.test(name ?? '')};
}

/** What the profile calls its first GPU; null where it names none. */
export function deviceNameOf({devices}: Trace): string | null {
  return devices.map(({name}) => name).find(name => name !== null && name !== '') ?? null;
}

/** The roofs of one GPU for products of a precision: how much it computes and moves in a second. */
export interface Roofs {
  readonly flopsPerSecond: number;
  readonly bytesPerSecond: number;
  /** Operations a byte where the two meet: what has fewer is bound by memory. */
  readonly ridge: number;
}

/** Roofs for products in a precision, for other operations where it is null; null where the GPU multiplies no such. */
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
 * The least time on the roofs: the longer of computing and moving, ns; null where the peak for its products is not known
 * (their precision is none that the GPU multiplies, or is not told).
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
