import {flashAttention} from '../estimate/flash-attention.js';
import type {ElementSizes, Flops, LayerCost} from '../estimate/layer-cost.js';
import {linear, type Product} from '../estimate/linear.js';
import type {ModelShape} from '../estimate/model-shape.js';
import {activation, layerNorm} from '../estimate/vector-layers.js';
import {attentionSizesOf, type AttentionSizes} from './attention-costs.js';
import {weightsOf, type MatchedLayers} from './model-layers.js';
import type {OperatorInputs} from '../figures/operator-inputs.js';
import {productSizesOf} from './product-costs.js';

/** Operations and bytes of a layer in one pass, according to the model. */
export interface PassCost {
  readonly flops: Flops;
  readonly bytes: number;
}

/**
 * The part of a layer that an operator computes: all of a pass, or one of the two products of a weight's backward pass.
 */
export interface ModelOperator {
  readonly part: 'whole' | 'input-gradient' | 'weight-gradient';
  /** The same for the two products of a weight's backward pass; null for a whole pass. */
  readonly weight: string | null;
  /**
   * The cost of the whole pass. Null for a weight's gradient, whose shapes do not show which of two layers it belongs
   * to.
   */
  readonly cost: PassCost | null;
}

/**
 * Returns the cost of an operator that matches a model's layer, by the model's formulas, for the operator's number of
 * tokens. Null if the layer differs from the model's: keys of another length than the queries, the function of a gated
 * activation without its product, a layer norm in a model with RMSNorm.
 *
 * @see docs/estimate.md#layers
 */
export function modelOperator(
  shape: ModelShape,
  name: string,
  inputs: OperatorInputs,
  {layers, pass}: MatchedLayers,
  sizes: ElementSizes,
): ModelOperator | null {
  const product = productSizesOf(name, inputs);
  if (product) return weightProduct(shape, product, layers, pass, sizes);
  const cost = otherLayer(shape, layers[0] ?? '', name, inputs, sizes);
  return cost && {part: 'whole', weight: null, cost: passOf(cost, pass)};
}

function passOf(cost: LayerCost, pass: MatchedLayers['pass']): PassCost {
  return pass === 'forward'
    ? {flops: cost.forwardFlops, bytes: cost.forwardBytes}
    : {flops: cost.backwardFlops, bytes: cost.backwardBytes};
}

function weightProduct(
  shape: ModelShape,
  {m, k, n}: {readonly m: number; readonly k: number; readonly n: number},
  layers: readonly string[],
  pass: MatchedLayers['pass'],
  sizes: ElementSizes,
): ModelOperator | null {
  const weights = weightsOf(shape).filter(({layer}) => layers.includes(layer));
  const costOf = (rows: number): PassCost | null => {
    if (weights.length === 0) return null;
    const [{inner, columns}] = weights;
    // Layers with the same shapes are one point, so a bias counts only if all of them have one.
    const product: Product = {rows, inner, columns, hasBias: weights.every(({hasBias}) => hasBias)};
    return passOf(linear('', product, sizes), pass);
  };
  if (pass === 'forward') {
    const cost = costOf(m);
    return cost && {part: 'whole', weight: null, cost};
  }
  const weight = (tokens: number, ...sides: number[]) => JSON.stringify([tokens, ...sides.sort((a, b) => a - b)]);
  return weights.every(({inner, columns}) => k === columns && n === inner)
    ? {part: 'input-gradient', weight: weight(m, k, n), cost: costOf(m)}
    : {part: 'weight-gradient', weight: weight(k, m, n), cost: null};
}

function otherLayer(
  shape: ModelShape,
  layer: string,
  name: string,
  inputs: OperatorInputs,
  sizes: ElementSizes,
): LayerCost | null {
  const elements = (inputs.dims[0] ?? []).reduce((product, size) => product * size, 1);
  switch (layer) {
    case 'flash_attention':
      return attention(shape, attentionSizesOf(name, inputs), sizes);
    case 'layer_norm_1':
      if (shape.norm !== 'layer-norm') return null;
      return layerNorm('', elements / shape.embedding, shape.embedding, sizes);
    case 'act':
      return shape.mlp === 'plain' ? activation('', elements, sizes) : null;
    default:
      return null;
  }
}

function attention(
  {heads, keyValueHeads, headWidth, isCausal, hasDropout}: ModelShape,
  computed: AttentionSizes | null,
  sizes: ElementSizes,
): LayerCost | null {
  if (computed === null || computed.keys !== computed.queries) return null;
  const {batch, queries: length} = computed;
  return flashAttention({batch, length, heads, keyValueHeads, headWidth, isCausal}, hasDropout, sizes);
}
