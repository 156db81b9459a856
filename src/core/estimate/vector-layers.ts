import {noTransfers, onVectorUnits, type ElementSizes, type LayerCost} from './layer-cost.js';

/** A layer of `elements` values in rows of `width`, without products. */
interface VectorLayer {
  readonly forwardFlops: number;
  readonly backwardFlops: number;
  readonly inputBytes: number;
  readonly otherInputBytes?: number;
  readonly outputBytes: number;
  readonly bufferBytes: number;
  readonly weightBytes?: number;
  readonly activationGradientBytes: number;
}

/**
 * Returns the cost. Backward moves gradients, kept values, and the weights' gradients; the weights themselves do not
 * count.
 */
function vectorLayer(name: string, layer: VectorLayer): LayerCost {
  const {forwardFlops, backwardFlops, otherInputBytes = 0, weightBytes = 0, ...rest} = layer;
  return {
    name,
    ...rest,
    forwardFlops: onVectorUnits(forwardFlops),
    backwardFlops: onVectorUnits(backwardFlops),
    otherInputBytes,
    weightBytes,
    forwardBytes: rest.inputBytes + otherInputBytes + rest.outputBytes + weightBytes,
    backwardBytes: rest.activationGradientBytes + rest.bufferBytes + weightBytes,
    ...noTransfers,
  };
}

/**
 * Returns layer norm over rows of `width`: 9 operations per element forward, 13 backward; two weights per element of a
 * row.
 *
 * @see docs/estimate.md#layers: nine and thirteen match the notebook's figures, except for a few operations per row
 */
export function layerNorm(name: string, rows: number, width: number, sizes: ElementSizes): LayerCost {
  return norm(name, rows, width, sizes, {forward: 9, backward: 13, weights: 2});
}

/**
 * Returns RMSNorm over rows of `width`. Forward squares, sums, scales and multiplies by the gain (4 operations per
 * element). Backward has 9, for the input and the gain. One weight per element of a row.
 *
 * @see Zhang and Sennrich 2019, Root Mean Square Layer Normalization, arXiv:1910.07467, equation 4
 */
export function rmsNorm(name: string, rows: number, width: number, sizes: ElementSizes): LayerCost {
  return norm(name, rows, width, sizes, {forward: 4, backward: 9, weights: 1});
}

/** Returns a norm over rows of `width`, from its operations and weights per element of a row. */
function norm(
  name: string,
  rows: number,
  width: number,
  {elementBytes}: ElementSizes,
  each: {readonly forward: number; readonly backward: number; readonly weights: number},
): LayerCost {
  const bytes = rows * width * elementBytes;
  return vectorLayer(name, {
    forwardFlops: each.forward * rows * width,
    backwardFlops: each.backward * rows * width,
    inputBytes: bytes,
    outputBytes: bytes,
    bufferBytes: bytes,
    weightBytes: each.weights * width * elementBytes,
    activationGradientBytes: 2 * bytes,
  });
}

/**
 * Returns dropout of `elements` values, of which `computed` are computed (fewer under a causal mask); only the mask is
 * kept.
 */
export function dropout(
  name: string,
  elements: number,
  {elementBytes, maskBytes}: ElementSizes,
  computed = elements,
): LayerCost {
  const bytes = elements * elementBytes;
  return vectorLayer(name, {
    forwardFlops: computed,
    backwardFlops: computed,
    inputBytes: bytes,
    otherInputBytes: elements * maskBytes,
    outputBytes: bytes,
    bufferBytes: elements * maskBytes,
    activationGradientBytes: bytes,
  });
}

/** Returns a nonlinear function of each value (GELU, ReLU), counted as one operation; its input is kept. */
export function activation(name: string, elements: number, {elementBytes}: ElementSizes): LayerCost {
  const bytes = elements * elementBytes;
  return vectorLayer(name, {
    forwardFlops: elements,
    backwardFlops: elements,
    inputBytes: bytes,
    outputBytes: bytes,
    bufferBytes: bytes,
    activationGradientBytes: bytes,
  });
}

/**
 * Returns a gated activation (SwiGLU): `f(gate) · up`, two inputs for each of `elements` outputs. Two operations per
 * output forward (the function, the product), four backward (the function, its derivative, a product for each input).
 *
 * @see Shazeer 2020, GLU Variants Improve Transformer, arXiv:2002.05202, equation 6
 */
export function gatedActivation(name: string, elements: number, {elementBytes}: ElementSizes): LayerCost {
  const bytes = elements * elementBytes;
  return vectorLayer(name, {
    forwardFlops: 2 * elements,
    backwardFlops: 4 * elements,
    inputBytes: bytes,
    otherInputBytes: bytes,
    outputBytes: bytes,
    bufferBytes: 2 * bytes,
    activationGradientBytes: 3 * bytes,
  });
}

/** Moves `tokens` rows of `width` to `copies` places each. Nothing is computed, and only the places are kept. */
export function permute(
  name: string,
  tokens: number,
  copies: number,
  width: number,
  {elementBytes}: ElementSizes,
): LayerCost {
  const bytes = tokens * width * elementBytes;
  return vectorLayer(name, {
    forwardFlops: 0,
    // A token's gradient is the sum of its copies' gradients.
    backwardFlops: tokens * width * (copies - 1),
    inputBytes: bytes,
    outputBytes: copies * bytes,
    bufferBytes: 0,
    activationGradientBytes: (copies + 1) * bytes,
  });
}

/** Sums `copies` rows of each token, each with its own weight, which has a gradient, too. */
export function weightedSum(
  name: string,
  tokens: number,
  copies: number,
  width: number,
  {elementBytes}: ElementSizes,
): LayerCost {
  const bytes = tokens * width * elementBytes;
  return vectorLayer(name, {
    forwardFlops: tokens * width * (2 * copies - 1),
    backwardFlops: tokens * copies * width + tokens * copies * (2 * width - 1),
    inputBytes: copies * bytes,
    otherInputBytes: tokens * copies * elementBytes,
    outputBytes: bytes,
    bufferBytes: copies * bytes + tokens * copies * elementBytes,
    activationGradientBytes: (copies + 1) * bytes + tokens * copies * elementBytes,
  });
}

/** Returns softmax over `rows` rows with `values` computed values in total; tensors are dense (`storedValues`). */
export function softmax(
  name: string,
  rows: number,
  values: number,
  storedValues: number,
  {elementBytes}: ElementSizes,
): LayerCost {
  const bytes = storedValues * elementBytes;
  return vectorLayer(name, {
    forwardFlops: 3 * values - rows,
    backwardFlops: 4 * values - rows,
    inputBytes: bytes,
    outputBytes: bytes,
    bufferBytes: bytes,
    activationGradientBytes: 2 * bytes,
  });
}
