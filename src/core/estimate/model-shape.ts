import {EstimateError} from './estimate-error.js';
import {checkWhole} from './whole-number.js';

/** A Transformer, reduced to what its cost depends on. */
export interface ModelShape {
  readonly batch: number;
  /** Tokens per sequence. */
  readonly length: number;
  /** Width of a token. */
  readonly embedding: number;
  /** Width between the two layers of the MLP (of one expert, if there are experts). */
  readonly hidden: number;
  readonly heads: number;
  /** Heads of keys and values; fewer than `heads` in grouped-query attention. */
  readonly keyValueHeads: number;
  /** Width of a head: `embedding / heads` in most models. */
  readonly headWidth: number;
  readonly depth: number;
  readonly norm: 'layer-norm' | 'rms-norm';
  readonly mlp: 'plain' | 'gated';
  /** `plain` computes the layers one by one; `flash` is one kernel. */
  readonly attention: 'plain' | 'flash';
  readonly isCausal: boolean;
  /** Biases of the MLP and of the attention's output; the projection of queries, keys and values has none. */
  readonly hasBias: boolean;
  readonly hasDropout: boolean;
  /** Number of experts in a layer with experts; 0 for a model without. */
  readonly experts: number;
  /** Number of experts for each token. */
  readonly expertsPerToken: number;
  /** Number of layers that have experts instead of the MLP. */
  readonly expertLayers: number;
}

/** Names of the shape's integers. */
export const shapeNumbers = [
  'batch',
  'length',
  'embedding',
  'hidden',
  'heads',
  'keyValueHeads',
  'headWidth',
  'depth',
  'experts',
  'expertsPerToken',
  'expertLayers',
] as const satisfies readonly (keyof ModelShape)[];

/** The possible values of its choices. */
export const shapeWords = {
  norm: ['layer-norm', 'rms-norm'],
  mlp: ['plain', 'gated'],
  attention: ['plain', 'flash'],
} as const satisfies {readonly [K in keyof ModelShape]?: readonly ModelShape[K][]};

export const shapeFlags = ['isCausal', 'hasBias', 'hasDropout'] as const satisfies readonly (keyof ModelShape)[];

const mayBeZero: ReadonlySet<keyof ModelShape> = new Set(['experts', 'expertsPerToken', 'expertLayers']);

/** Larger figures would exceed the integers that a double can represent. */
const mostOfAnything = 2 ** 40;

/** @throws EstimateError for an impossible shape */
export function checkShape(shape: ModelShape): void {
  for (const name of shapeNumbers) {
    checkWhole(name, shape[name], mayBeZero.has(name) ? 0 : 1, mostOfAnything);
  }
  const {heads, keyValueHeads, experts, expertsPerToken, expertLayers, depth} = shape;
  if (heads % keyValueHeads !== 0)
    throw new EstimateError(`heads (${String(heads)}) must be a multiple of keyValueHeads (${String(keyValueHeads)}).`);
  if (expertsPerToken > experts)
    throw new EstimateError(
      `expertsPerToken (${String(expertsPerToken)}) must be at most experts (${String(experts)}).`,
    );
  if (expertLayers > depth)
    throw new EstimateError(`expertLayers (${String(expertLayers)}) must be at most depth (${String(depth)}).`);
  if (expertLayers > 0 && expertsPerToken === 0)
    throw new EstimateError('A model with expertLayers needs experts and expertsPerToken.');
}

/** Returns the weights of all layers: linear layers, norms and experts, without embeddings and the output. */
export function layerWeights(shape: ModelShape): number {
  const {embedding: e, hidden: f, heads, keyValueHeads, headWidth: q, depth, expertLayers, experts} = shape;
  const norm = (shape.norm === 'layer-norm' ? 2 : 1) * e;
  const bias = shape.hasBias ? 1 : 0;
  const attention = e * (heads + 2 * keyValueHeads) * q + heads * q * e + bias * e + 2 * norm;
  const gates = shape.mlp === 'gated' ? 2 : 1;
  const mlp = gates * f * (e + bias) + f * e + bias * e;
  return depth * attention + (depth - expertLayers) * mlp + expertLayers * (experts * mlp + e * experts);
}
