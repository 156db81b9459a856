import {EstimateError} from './estimate-error.js';
import type {Collective} from './layer-cost.js';
import type {Precision} from './precision.js';

/** The measured bandwidth of a collective operation in a group of some size, as the model defines bandwidth. */
export interface MeasuredBandwidth {
  readonly collective: Collective;
  readonly groupSize: number;
  /** The message size that was measured; null if the figure holds for all sizes. */
  readonly bytes: number | null;
  readonly bytesPerSecond: number;
}

/** GPUs and their networks. Peaks are dense (no sparsity), per GPU. */
export interface System {
  /** Matrix units such as tensor cores. A format that is absent is multiplied by the other units. */
  readonly matrixFlopsPerSecond: Readonly<Partial<Record<Precision, number>>>;
  /** All other units. */
  readonly vectorFlopsPerSecond: Readonly<Partial<Record<Precision, number>>>;
  readonly hbmBytesPerSecond: number;
  /** From one GPU to all others of its domain, sum of both directions, as in data sheets. */
  readonly nvlinkBytesPerSecond: number;
  /** From one node to all others, one direction, over all of its adapters. */
  readonly infinibandBytesPerSecond: number;
  /** Number of GPUs that NVLink joins. */
  readonly nvlinkDomainSize: number;
  /** Overrides the bandwidths above for the measured operations and group sizes. */
  readonly measured?: readonly MeasuredBandwidth[];
}

/**
 * Returns the peak of products, in operations per second: that of the matrix units, else of the others, which multiply
 * fp32 (and thus TF32) on every GPU.
 *
 * @throws EstimateError if the GPU does not multiply the format
 */
export function matrixPeak({matrixFlopsPerSecond, vectorFlopsPerSecond}: System, precision: Precision): number {
  const isPlain = precision === 'fp32' || precision === 'tf32';
  const others = vectorFlopsPerSecond[precision] ?? (isPlain ? vectorFlopsPerSecond.fp32 : undefined);
  const peak = matrixFlopsPerSecond[precision] ?? others;
  if (peak === undefined)
    throw new EstimateError(`The system does not multiply ${precision}: choose another precision.`);
  return peak;
}

/**
 * Returns the peak of vector units; if the data sheet has none for the format, that of fp32, which all have.
 *
 * @throws EstimateError
 */
export function vectorPeak(system: System, precision: Precision): number {
  const {vectorFlopsPerSecond: peaks} = system;
  const peak = peaks[precision] ?? peaks.fp32 ?? peaks.fp16;
  if (peak === undefined) throw new EstimateError('The system needs a vector peak for fp32.');
  return peak;
}

/** @throws EstimateError for an impossible system */
export function checkSystem(system: System): void {
  const {matrixFlopsPerSecond, vectorFlopsPerSecond, measured, ...rest} = system;
  const figures = {
    ...Object.fromEntries(Object.entries(matrixFlopsPerSecond).map(([key, value]) => [`matrix peak of ${key}`, value])),
    ...Object.fromEntries(Object.entries(vectorFlopsPerSecond).map(([key, value]) => [`vector peak of ${key}`, value])),
    ...rest,
  };
  for (const [name, value] of Object.entries(figures)) {
    if (!(Number.isFinite(value) && value > 0)) throw new EstimateError(`The system’s ${name} must be above 0.`);
  }
  for (const {bytesPerSecond} of measured ?? []) {
    if (!(Number.isFinite(bytesPerSecond) && bytesPerSecond > 0))
      throw new EstimateError('Measured bandwidths must be above 0.');
  }
  vectorPeak(system, 'fp32');
}
