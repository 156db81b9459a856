/** What GPUs exchange: the collective operations of the model. */
export const collectives = ['allgather', 'reducescatter', 'allreduce', 'broadcast', 'reduce', 'alltoall'] as const;
export type Collective = (typeof collectives)[number];

/** One collective operation of a layer's pass, as one GPU sees it. */
export interface Transfer {
  readonly collective: Collective;
  /** What each GPU takes in (or, in a reduction, gives away). */
  readonly bytes: number;
  /** GPUs that take part. */
  readonly groupSize: number;
  /**
   * GPUs from the group's first to its last, both included and neighbours numbered one after the other: a group of
   * every fourth GPU leaves the NVLink domain sooner than a group of neighbours.
   */
  readonly spanSize: number;
}

/** Floating-point operations by the unit that does them: tensor cores and the like, or everything else. */
export interface Flops {
  readonly matrix: number;
  readonly vector: number;
}

/**
 * What one layer costs one GPU, forward and backward. Operations are counted one by one (a multiply and an add are
 * two), bytes are those of HBM.
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
  /** A second input: the keys, the values, a dropout's mask. */
  readonly otherInputBytes: number;
  readonly outputBytes: number;
  /** What is kept from forward to backward. */
  readonly bufferBytes: number;
  /** Weights that the GPU stores, and as much again for their gradients. */
  readonly weightBytes: number;
  /** Gradients of activations that backward reads and writes. */
  readonly activationGradientBytes: number;
  /** All that forward and backward move between HBM and the units. */
  readonly forwardBytes: number;
  readonly backwardBytes: number;
  readonly forwardTransfers: readonly Transfer[];
  readonly backwardTransfers: readonly Transfer[];
}

/** Bytes of an element of a tensor, and of a dropout's mask. */
export interface ElementSizes {
  readonly elementBytes: number;
  readonly maskBytes: number;
}

export const noTransfers = {forwardTransfers: [], backwardTransfers: []} as const;

/** Operations that tensor cores do. */
export function onMatrixUnits(flops: number): Flops {
  return {matrix: flops, vector: 0};
}

/** Operations that everything else does. */
export function onVectorUnits(flops: number): Flops {
  return {matrix: 0, vector: flops};
}

/** All operations, whichever unit does them. */
export function allFlops({matrix, vector}: Flops): number {
  return matrix + vector;
}

/** The layer with transfers added; those of a single GPU are none. */
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

/** The layer with the additions of reductions, which run where products run: at their epilogue. */
export function withAdditions(layer: LayerCost, forward: number, backward: number): LayerCost {
  const add = ({matrix, vector}: Flops, additions: number): Flops =>
    matrix > 0 ? {matrix: matrix + additions, vector} : {matrix, vector: vector + additions};
  return {
    ...layer,
    forwardFlops: add(layer.forwardFlops, forward),
    backwardFlops: add(layer.backwardFlops, backward),
  };
}
