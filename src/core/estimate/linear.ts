import {onMatrixUnits, type ElementSizes, type LayerCost, type Transfer} from './layer-cost.js';

/** A product of activations (`rows × inner`) with a weight (`inner × columns`), before it is split over GPUs. */
export interface Product {
  readonly rows: number;
  readonly inner: number;
  readonly columns: number;
  readonly hasBias: boolean;
  /** Weights of this shape among which the rows are dealt out evenly: the experts on a GPU. One where absent. */
  readonly weights?: number;
}

/** A fully connected layer on one GPU. @see docs/estimate.md#layers */
export function linear(name: string, product: Product, sizes: ElementSizes): LayerCost {
  return gridLinear(name, product, {rows: 1, columns: 1, inner: 1}, sizes, alone);
}

/** Into how many parts the three sides of a product are cut: what a GPU multiplies is one part of each. */
export interface ProductCut {
  readonly rows: number;
  readonly columns: number;
  readonly inner: number;
}

/** A way in which parts of the operands are shared among GPUs, which says what is stored and what is sent. */
export interface GridTransfers {
  readonly forward: readonly Transfer[];
  readonly backward: readonly Transfer[];
  /** Into how many parts weights and activations are cut where they are kept. */
  readonly storedParts: number;
  readonly storedWeightParts: number;
  /** Additions of reductions, forward and backward. */
  readonly forwardAdditions: number;
  readonly backwardAdditions: number;
}

/**
 * A fully connected layer on one GPU of several, each with one part of the product.
 *
 * Each part has `rows·columns·(2·inner − 1)` operations forward, as many for the input's gradient and the weight's
 * with the sides exchanged; a bias adds one for each output, forward and backward. Bytes are those of the parts that
 * are multiplied; what is kept (buffer, weights) is cut into as many parts as `shared` says.
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
  const inputBytes = r * i * elementBytes;
  const outputBytes = r * c * elementBytes;
  const workingWeightBytes = weights * (i + bias) * c * elementBytes;
  const activationGradientBytes = inputBytes + outputBytes;
  return {
    name,
    forwardFlops: onMatrixUnits(r * c * (2 * i - 1) + r * c * bias + shared.forwardAdditions),
    backwardFlops: onMatrixUnits(
      r * i * (2 * c - 1) + i * c * (2 * r - weights) + r * c * bias + shared.backwardAdditions,
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

/** What one GPU has to itself. */
const alone: GridTransfers = {
  forward: [],
  backward: [],
  storedParts: 1,
  storedWeightParts: 1,
  forwardAdditions: 0,
  backwardAdditions: 0,
};
