import {attend, logits, type AttentionPart} from './attention-layers.js';
import {flashAttention} from './flash-attention.js';
import {type ElementSizes, type LayerCost} from './layer-cost.js';
import type {ModelShape} from './model-shape.js';
import {activation, dropout, gatedActivation, layerNorm, rmsNorm, softmax} from './vector-layers.js';

/** The conventions of the figures. @see docs/estimate.md#variants */
export const variants = ['corrected', 'printed'] as const;
export type Variant = (typeof variants)[number];

/** Returns the norm of a model over rows of `width`. */
export function norm(name: string, shape: ModelShape, rows: number, width: number, sizes: ElementSizes): LayerCost {
  return (shape.norm === 'rms-norm' ? rmsNorm : layerNorm)(name, rows, width, sizes);
}

/**
 * Returns the layers between the two products of an MLP; `elements` is the number of values that the second product
 * takes.
 */
export function innerLayers(shape: ModelShape, elements: number, sizes: ElementSizes): LayerCost[] {
  const act = shape.mlp === 'gated' ? gatedActivation : activation;
  return [act('act', elements, sizes), ...(shape.hasDropout ? [dropout('dpr1', elements, sizes)] : [])];
}

/** Returns the layers between the projections of an attention: one by one, or in one kernel. */
export function coreAttention(shape: ModelShape, part: AttentionPart, sizes: ElementSizes): LayerCost[] {
  if (shape.attention === 'flash') return [flashAttention(part, shape.hasDropout, sizes)];
  const {batch, length, heads, isCausal} = part;
  const rows = batch * heads * length;
  const dense = rows * length;
  const computed = isCausal ? (rows * (length + 1)) / 2 : dense;
  return [
    logits(part, sizes),
    softmax('softmax', rows, computed, dense, sizes),
    ...(shape.hasDropout ? [dropout('dropout_softmax', dense, sizes, computed)] : []),
    attend(part, sizes),
  ];
}

/** Returns the columns of the product before the activation: twice the hidden width if there are gates. */
export function firstColumns({mlp, hidden}: ModelShape): number {
  return (mlp === 'gated' ? 2 : 1) * hidden;
}
