import {allFlops, type Flops, type LayerCost, type Transfer} from './layer-cost.js';
import type {Precision} from './precision.js';
import {matrixPeak, vectorPeak, type MeasuredBandwidth, type System} from './system.js';

/** The network that carries a collective operation. */
type Topology = 'nvlink' | 'ib';

/** The time of one pass through a layer, ms. */
export interface PassTime {
  readonly computeMs: number;
  readonly memoryMs: number;
  /** The longer of computing and moving, which overlap. */
  readonly localMs: number;
  readonly communicationMs: number;
  /** Local time plus communication, which do not overlap. */
  readonly totalMs: number;
}

export interface LayerTime {
  readonly forward: PassTime;
  readonly backward: PassTime;
  /** The network of each transfer, forward ones first; null for a layer that sends nothing. */
  readonly topology: Topology | null;
}

/** Returns the time of a layer on a system. @see docs/estimate.md#times @throws EstimateError */
export function layerTime(layer: LayerCost, system: System, precision: Precision): LayerTime {
  const {forwardTransfers, backwardTransfers} = layer;
  const first = [...forwardTransfers, ...backwardTransfers].at(0);
  return {
    forward: passTime(layer.forwardFlops, layer.forwardBytes, forwardTransfers, system, precision),
    backward: passTime(layer.backwardFlops, layer.backwardBytes, backwardTransfers, system, precision),
    topology: first ? topologyOf(first, system) : null,
  };
}

/** Returns NVLink if the whole group, first to last, fits into its domain; else InfiniBand. */
function topologyOf({spanSize}: Transfer, {nvlinkDomainSize}: System): Topology {
  return spanSize <= nvlinkDomainSize ? 'nvlink' : 'ib';
}

/**
 * Returns bytes divided by the bandwidth of their network, or by the measured bandwidth of the operation in a group of
 * that size, with the nearest message size by ratio. No latency.
 */
function transferMs(transfer: Transfer, system: System): number {
  const nominal =
    topologyOf(transfer, system) === 'nvlink' ? system.nvlinkBytesPerSecond : system.infinibandBytesPerSecond;
  const bytesPerSecond = measuredBandwidth(transfer, system.measured ?? [])?.bytesPerSecond ?? nominal;
  return milliseconds(transfer.bytes, bytesPerSecond, giga);
}

function measuredBandwidth(
  {collective, groupSize, bytes}: Transfer,
  measured: readonly MeasuredBandwidth[],
): MeasuredBandwidth | null {
  const ratio = (row: MeasuredBandwidth) => (row.bytes === null ? 0 : Math.abs(Math.log(row.bytes / bytes)));
  return measured
    .filter(row => row.collective === collective && row.groupSize === groupSize)
    .reduce<MeasuredBandwidth | null>((best, row) => (best && ratio(best) <= ratio(row) ? best : row), null);
}

function passTime(
  flops: Flops,
  bytes: number,
  transfers: readonly Transfer[],
  system: System,
  precision: Precision,
): PassTime {
  const computeMs = computeTimeMs(flops, system, precision);
  const memoryMs = milliseconds(bytes, system.hbmBytesPerSecond, giga);
  const localMs = Math.max(computeMs, memoryMs);
  const communicationMs = transfers.reduce((sum, transfer) => sum + transferMs(transfer, system), 0);
  return {computeMs, memoryMs, localMs, communicationMs, totalMs: localMs + communicationMs};
}

/**
 * Returns each unit's operations divided by its peak. A kernel that uses both is assumed to use one after the other.
 */
function computeTimeMs(flops: Flops, system: System, precision: Precision): number {
  if (allFlops(flops) === 0) return 0;
  const matrixMs = flops.matrix > 0 ? milliseconds(flops.matrix, matrixPeak(system, precision), tera) : 0;
  const vectorMs = flops.vector > 0 ? milliseconds(flops.vector, vectorPeak(system, precision), tera) : 0;
  return matrixMs + vectorMs;
}

const tera = 1e-12;
const giga = 1e-9;

/**
 * Computes in the notebook's units and order (GB over GB/s, TFLOP over TFLOP/s, then ms), so that fractions agree to
 * the last bit.
 */
function milliseconds(amount: number, perSecond: number, unit: typeof tera | typeof giga): number {
  return ((amount * unit) / (perSecond * unit)) * 1e3;
}
