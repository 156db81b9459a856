/** The collective operations of the model. */
export const collectives = ['allgather', 'reducescatter', 'allreduce', 'broadcast', 'reduce', 'alltoall'] as const;
export type Collective = (typeof collectives)[number];

/** One collective operation of a layer's pass, as one GPU sees it. */
export interface Transfer {
  readonly collective: Collective;
  /** Bytes that each GPU receives (or, in a reduction, sends). */
  readonly bytes: number;
  /** Number of participating GPUs. */
  readonly groupSize: number;
  /**
   * The span from the group's first to its last GPU, both included, with neighbours numbered consecutively: a group of
   * every fourth GPU exceeds the NVLink domain sooner than a group of neighbours.
   */
  readonly spanSize: number;
}

/** Floating-point operations by the unit that executes them: matrix units such as tensor cores, or all others. */
export interface Flops {
  readonly matrix: number;
  readonly vector: number;
}

/**
 * The cost of one layer on one GPU, forward and backward. A multiply and an add count as two operations; bytes are HBM
 * traffic.
 *
 *     name  forward  backward  input  otherInput  output  buffer  weights  weightGradients  activationGradients
 *     fc1    0.62 T    1.24 T   50 M           0    50 M    50 M    302 M            302 M                101 M
 *
 * @see docs/estimate.md#layers
 */
export interface LayerCost {
  readonly name: string;
  readonly forwardFlops: Flops;
  readonly backwardFlops: Flops;
  readonly inputBytes: number;
  /** A second input: the keys, the values, or a dropout's mask. */
  readonly otherInputBytes: number;
  readonly outputBytes: number;
  /** Bytes kept from forward to backward. */
  readonly bufferBytes: number;
  /** Weights that the GPU stores; their gradients take the same. */
  readonly weightBytes: number;
  /** Gradients of activations that backward reads and writes. */
  readonly activationGradientBytes: number;
  /** All bytes that forward and backward move between HBM and the units. */
  readonly forwardBytes: number;
  readonly backwardBytes: number;
  readonly forwardTransfers: readonly Transfer[];
  readonly backwardTransfers: readonly Transfer[];
}

/** Bytes per element of a tensor, and of a dropout's mask. */
export interface ElementSizes {
  readonly elementBytes: number;
  readonly maskBytes: number;
}

export const noTransfers = {forwardTransfers: [], backwardTransfers: []} as const;

/** Returns operations that matrix units execute. */
export function onMatrixUnits(flops: number): Flops {
  return {matrix: flops, vector: 0};
}

/** Returns operations that the other units execute. */
export function onVectorUnits(flops: number): Flops {
  return {matrix: 0, vector: flops};
}

/** Returns all operations, on any unit. */
export function allFlops({matrix, vector}: Flops): number {
  return matrix + vector;
}

/** Returns the layer with transfers added, except those of a single GPU. */
export function withTransfers(
  layer: LayerCost,
  forward: readonly Transfer[],
  backward: readonly Transfer[] = [],
): LayerCost {
  const real = (transfer: Transfer) => transfer.groupSize > 1;
  return {
    ...layer,
    forwardTransfers: [...layer.forwardTransfers, ...forward.filter(real)],
    backwardTransfers: [...layer.backwardTransfers, ...backward.filter(real)],
  };
}

/** Returns the layer with the additions of reductions, which run on the same units as products, in their epilogue. */
export function withAdditions(layer: LayerCost, forward: number, backward: number): LayerCost {
  const add = ({matrix, vector}: Flops, additions: number): Flops =>
    matrix > 0 ? {matrix: matrix + additions, vector} : {matrix, vector: vector + additions};
  return {
    ...layer,
    forwardFlops: add(layer.forwardFlops, forward),
    backwardFlops: add(layer.backwardFlops, backward),
  };
}
