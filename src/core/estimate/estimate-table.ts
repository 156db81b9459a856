import {greatest} from '../table/extremes.js';
import {communicationFraction, type Estimate, type EstimatedBlock, type EstimatedLayer, type Sums} from './estimate.js';
import {allFlops, type Transfer} from './layer-cost.js';

/** A cell of the notebook's tables; null for a blank one. */
export type EstimateCell = string | number | null;

/** Columns in the notebook's order and with its names: TFLOP, GB (10^9 bytes), ms. */
export const estimateColumns = {
  layer: ({cost}) => cost.name,
  flops_fwd: ({cost}) => tera(allFlops(cost.forwardFlops)),
  activation_in_mem: ({cost}) => giga(cost.inputBytes),
  activation_in_other_mem: ({cost}) => giga(cost.otherInputBytes),
  activation_out_mem: ({cost}) => giga(cost.outputBytes),
  activation_buffer: ({cost}) => giga(cost.bufferBytes),
  weights_mem: ({cost}) => giga(cost.weightBytes),
  total_mem_fwd: ({cost}) => giga(cost.forwardBytes),
  flops_bwd: ({cost}) => tera(allFlops(cost.backwardFlops)),
  activation_grad_mem: ({cost}) => giga(cost.activationGradientBytes),
  weights_grad_mem: ({cost}) => giga(cost.weightBytes),
  total_mem_bwd: ({cost}) => giga(cost.backwardBytes),
  comm_bwd: ({cost}) => volume(cost.backwardTransfers),
  comm_bwd_type: ({cost}) => types(cost.backwardTransfers),
  comm_size: ({cost}) => groupSize([...cost.forwardTransfers, ...cost.backwardTransfers]),
  comm_fwd: ({cost}) => volume(cost.forwardTransfers),
  comm_fwd_type: ({cost}) => types(cost.forwardTransfers),
  t_comp_fwd: ({time}) => time.forward.computeMs,
  t_mem_fwd: ({time}) => time.forward.memoryMs,
  t_comp_bwd: ({time}) => time.backward.computeMs,
  t_mem_bwd: ({time}) => time.backward.memoryMs,
  intensity: ({time}) => time.forward.computeMs / time.forward.memoryMs,
  t_fwd: ({time}) => time.forward.localMs,
  t_bwd: ({time}) => time.backward.localMs,
  comm_topology: ({time}) => time.topology,
  t_comm_fwd: ({time}) => time.forward.communicationMs,
  t_comm_bwd: ({time}) => time.backward.communicationMs,
  t_total_fwd: ({time}) => time.forward.totalMs,
  t_total_bwd: ({time}) => time.backward.totalMs,
  frac_t_comm_fwd: ({time}) => communicationFraction(time.forward.communicationMs, time.forward.totalMs),
  frac_t_comm_bwd: ({time}) => communicationFraction(time.backward.communicationMs, time.backward.totalMs),
} as const satisfies Readonly<Record<string, (layer: EstimatedLayer) => EstimateCell>>;

export type EstimateColumn = keyof typeof estimateColumns;
type EstimateRow = Readonly<Record<EstimateColumn, EstimateCell>>;

/** The notebook's sums over the depth, in its order and with its names. */
export type EstimateSums = Readonly<
  Record<
    | 'activation_buffer'
    | 'weights_mem'
    | 'weights_grad_mem'
    | 'flops_fwd'
    | 'flops_bwd'
    | 't_total_fwd'
    | 't_total_bwd'
    | 't_comm_fwd'
    | 't_comm_bwd',
    number
  >
>;

export interface EstimateTable {
  readonly rows: readonly EstimateRow[];
  /** Number of the model's layers that the sums cover. */
  readonly depth: number;
  readonly sums: EstimateSums;
  /** For the forward pass, as the notebook prints it. */
  readonly commFraction: number;
  readonly commFractionBackward: number;
}

/** Returns a block's figures as the notebook's table. */
export function estimateTable({layers, layerSums, sums, count}: EstimatedBlock): EstimateTable {
  const entries = Object.entries(estimateColumns);
  return {
    rows: layers.map(layer => Object.fromEntries(entries.map(([name, cell]) => [name, cell(layer)])) as EstimateRow),
    depth: count,
    ...sumsTable(sums, layerSums),
  };
}

/** Returns the whole model's sums, as the notebook does for a block. */
export function estimateTotal({total}: Estimate): Omit<EstimateTable, 'rows' | 'depth'> {
  return sumsTable(total, total);
}

/** @param part the sums from which fractions are computed, before multiplying by the number of layers rounds them */
function sumsTable(sums: Sums, part: Sums): Omit<EstimateTable, 'rows' | 'depth'> {
  return {
    sums: {
      activation_buffer: giga(sums.bufferBytes),
      weights_mem: giga(sums.weightBytes),
      weights_grad_mem: giga(sums.weightBytes),
      flops_fwd: tera(sums.forwardFlops),
      flops_bwd: tera(sums.backwardFlops),
      t_total_fwd: sums.forwardMs,
      t_total_bwd: sums.backwardMs,
      t_comm_fwd: sums.forwardCommunicationMs,
      t_comm_bwd: sums.backwardCommunicationMs,
    },
    commFraction: communicationFraction(part.forwardCommunicationMs, part.forwardMs),
    commFractionBackward: communicationFraction(part.backwardCommunicationMs, part.backwardMs),
  };
}

function tera(count: number): number {
  return count / 1e12;
}

function giga(bytes: number): number {
  return bytes / 1e9;
}

/** Returns the volume; null, which the notebook leaves blank, for a layer that sends nothing. */
function volume(transfers: readonly Transfer[]): number | null {
  return transfers.length === 0 ? null : giga(transfers.reduce((sum, {bytes}) => sum + bytes, 0));
}

/** Returns the collectives of a pass in order, each once. */
function types(transfers: readonly Transfer[]): string | null {
  return transfers.length === 0 ? null : [...new Set(transfers.map(({collective}) => collective))].join(' + ');
}

/** Returns the largest group in which a layer sends. */
function groupSize(transfers: readonly Transfer[]): number | null {
  return transfers.length === 0 ? null : greatest(transfers.map(transfer => transfer.groupSize));
}
