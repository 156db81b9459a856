import {onMatrixUnits, type ElementSizes, type LayerCost, type Transfer} from './layer-cost.js';

/** A product of activations (`rows × inner`) and a weight (`inner × columns`), before it is split over GPUs. */
export interface Product {
  readonly rows: number;
  readonly inner: number;
  readonly columns: number;
  readonly hasBias: boolean;
  /** Number of weights of this shape among which the rows are divided evenly: the experts on a GPU. One if absent. */
  readonly weights?: number;
}

/** Returns a fully connected layer on one GPU. @see docs/estimate.md#layers */
export function linear(name: string, product: Product, sizes: ElementSizes): LayerCost {
  return gridLinear(name, product, {rows: 1, columns: 1, inner: 1}, sizes, alone);
}

/** The number of parts into which each dimension of a product is split; a GPU multiplies one part of each. */
export interface ProductCut {
  readonly rows: number;
  readonly columns: number;
  readonly inner: number;
}

/** How parts of the operands are shared among GPUs: what is stored and what is sent. */
export interface GridTransfers {
  readonly forward: readonly Transfer[];
  readonly backward: readonly Transfer[];
  /** The number of parts into which stored weights and activations are split. */
  readonly storedParts: number;
  readonly storedWeightParts: number;
  /** Additions of reductions, forward and backward. */
  readonly forwardAdditions: number;
  readonly backwardAdditions: number;
}

/**
 * Returns a fully connected layer on one of several GPUs, each with one part of the product.
 *
 * Each part has `rows·columns·(2·inner − 1)` operations forward, and as many for the input's gradient and the weight's,
 * with the dimensions exchanged. A bias adds one for each output, forward and backward. Bytes are those of the
 * multiplied parts. What is kept (buffer, weights) is split into as many parts as `shared` specifies.
 */
export function gridLinear(
  name: string,
  {rows, inner, columns, hasBias, weights = 1}: Product,
  cut: ProductCut,
  {elementBytes}: ElementSizes,
  shared: GridTransfers,
): LayerCost {
  const [r, c, i] = [rows / cut.rows, columns / cut.columns, inner / cut.inner];
  const bias = hasBias ? 1 : 0;
  // Experts without a row are neither read nor multiplied.
  const used = Math.min(weights, rows);
  const inputBytes = r * i * elementBytes;
  const outputBytes = r * c * elementBytes;
  const workingWeightBytes = used * (i + bias) * c * elementBytes;
  const activationGradientBytes = inputBytes + outputBytes;
  return {
    name,
    forwardFlops: onMatrixUnits(r * c * (2 * i - 1) + r * c * bias + shared.forwardAdditions),
    backwardFlops: onMatrixUnits(
      r * i * (2 * c - 1) + i * c * (2 * r - used) + r * c * bias + shared.backwardAdditions,
    ),
    inputBytes,
    otherInputBytes: 0,
    outputBytes,
    bufferBytes: (rows * inner * elementBytes) / shared.storedParts,
    weightBytes: (weights * (inner + bias) * columns * elementBytes) / shared.storedWeightParts,
    activationGradientBytes,
    forwardBytes: inputBytes + outputBytes + workingWeightBytes,
    backwardBytes: activationGradientBytes + inputBytes + 2 * workingWeightBytes,
    forwardTransfers: shared.forward,
    backwardTransfers: shared.backward,
  };
}

/** The transfers of a single GPU. */
const alone: GridTransfers = {
  forward: [],
  backward: [],
  storedParts: 1,
  storedWeightParts: 1,
  forwardAdditions: 0,
  backwardAdditions: 0,
};
