import {EstimateError} from './estimate-error.js';
import type {Collective} from './layer-cost.js';
import type {Precision} from './precision.js';

/** What was measured of a collective operation in a group of some size; bandwidth as the model uses it. */
export interface MeasuredBandwidth {
  readonly collective: Collective;
  readonly groupSize: number;
  /** The bytes of one operation that were measured, null where the figure holds for all. */
  readonly bytes: number | null;
  readonly bytesPerSecond: number;
}

/** GPUs and what joins them. Peaks are dense (no sparsity), per GPU. */
export interface System {
  /** Tensor cores and the like; a format that is absent is not multiplied faster than by the other units. */
  readonly matrixFlopsPerSecond: Readonly<Partial<Record<Precision, number>>>;
  /** Everything else. */
  readonly vectorFlopsPerSecond: Readonly<Partial<Record<Precision, number>>>;
  readonly hbmBytesPerSecond: number;
  /** Of one GPU with all others of its domain, both directions together, as data sheets have it. */
  readonly nvlinkBytesPerSecond: number;
  /** Of one node with all others, one direction, over all of its adapters. */
  readonly infinibandBytesPerSecond: number;
  /** GPUs that NVLink joins. */
  readonly nvlinkDomainSize: number;
  /** Takes the place of the bandwidths above where it has the operation and the size of the group. */
  readonly measured?: readonly MeasuredBandwidth[];
}

/**
 * The peak of products, operations a second: that of the matrix units, else of the others, which multiply fp32 (and
 * what TF32 stands for) on every GPU.
 *
 * @throws EstimateError where the GPU does not multiply the format
 */
export function matrixPeak({matrixFlopsPerSecond, vectorFlopsPerSecond}: System, precision: Precision): number {
  const isPlain = precision === 'fp32' || precision === 'tf32';
  const others = vectorFlopsPerSecond[precision] ?? (isPlain ? vectorFlopsPerSecond.fp32 : undefined);
  const peak = matrixFlopsPerSecond[precision] ?? others;
  if (peak === undefined)
    throw new EstimateError(`The system does not multiply ${precision}: choose another precision.`);
  return peak;
}

/** The peak of vector units; where the data sheet has none for the format, that of fp32, which all have. @throws EstimateError */
export function vectorPeak(system: System, precision: Precision): number {
  const {vectorFlopsPerSecond: peaks} = system;
  const peak = peaks[precision] ?? peaks.fp32 ?? peaks.fp16;
  if (peak === undefined) throw new EstimateError('The system needs a vector peak for fp32.');
  return peak;
}

/** @throws EstimateError for a system that nobody built */
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
