import type {ModelShape} from '../estimate/model-shape.js';
import {attentionSizesOf} from './attention-costs.js';
import type {OperatorInputs} from '../figures/operator-inputs.js';
import {productSizesOf} from './product-costs.js';

/** What an operator is to a model. */
export interface MatchedLayers {
  /** Names of the cost model's layers whose shapes these are: more than one where they have the same. */
  readonly layers: readonly string[];
  readonly pass: 'forward' | 'backward';
}

/** A weight of a model, as its linear layers have it: fused, and one by one where models keep them apart. */
export interface Weight {
  readonly layer: string;
  readonly inner: number;
  readonly columns: number;
  readonly hasBias: boolean;
}

export function weightsOf(shape: ModelShape): Weight[] {
  const {embedding, hidden, heads, keyValueHeads, headWidth, mlp, expertLayers, depth, hasBias} = shape;
  const query = heads * headWidth;
  const keyValue = keyValueHeads * headWidth;
  const weights: Weight[] = [
    {layer: 'qkv_proj', inner: embedding, columns: query + 2 * keyValue, hasBias: false},
    {layer: 'qkv_proj (queries)', inner: embedding, columns: query, hasBias: false},
    {layer: 'qkv_proj (keys, values)', inner: embedding, columns: keyValue, hasBias: false},
    {layer: 'v_proj', inner: query, columns: embedding, hasBias},
  ];
  if (expertLayers === depth) return weights;
  const gates =
    mlp === 'gated'
      ? [
          {layer: 'fc1', inner: embedding, columns: 2 * hidden, hasBias},
          {layer: 'fc1 (gate, up)', inner: embedding, columns: hidden, hasBias},
        ]
      : [{layer: 'fc1', inner: embedding, columns: hidden, hasBias}];
  return [...weights, ...gates, {layer: 'fc2', inner: hidden, columns: embedding, hasBias}];
}

/**
 * The layers of a model that an operator's shapes fit, null for none. Shapes decide alone, so layers with the same ones
 * are named together; nothing is guessed. Tokens may be any number.
 *
 * - forward, `[tokens, inner] × [inner, columns]` of a weight;
 * - backward, `[tokens, columns] × [columns, inner]` for the input's gradient, and a product that makes the weight's;
 * - fused attention by its heads and their width; norms by the width of their rows.
 */
export function matchLayers(
  shape: ModelShape,
  name: string,
  inputs: OperatorInputs,
  isBackward: boolean,
): MatchedLayers | null {
  const pass = isBackward ? 'backward' : 'forward';
  const layers = [...new Set(layersOf(shape, name, inputs, isBackward))];
  return layers.length === 0 ? null : {layers, pass};
}

function layersOf(shape: ModelShape, name: string, inputs: OperatorInputs, isBackward: boolean): string[] {
  const sizes = productSizesOf(name, inputs);
  if (sizes?.batch === 1) {
    const {m, k, n} = sizes;
    return weightsOf(shape)
      .filter(({inner, columns}) =>
        isBackward
          ? (k === columns && n === inner) || (m === inner && n === columns) || (m === columns && n === inner)
          : k === inner && n === columns,
      )
      .map(({layer}) => layer);
  }
  return otherLayers.find(({pattern}) => pattern.test(name))?.layers(shape, inputs, name) ?? [];
}

/** Layers that are no products, by their operators. */
const otherLayers: readonly {
  readonly pattern: RegExp;
  readonly layers: (shape: ModelShape, inputs: OperatorInputs, name: string) => string[];
}[] = [
  {
    pattern: /^aten::_\w+_attention/,
    layers: ({heads, headWidth}, inputs, name) => {
      const sizes = attentionSizesOf(name, inputs);
      return sizes?.heads === heads && sizes.width === headWidth ? ['flash_attention'] : [];
    },
  },
  {
    pattern: /^aten::native_layer_norm/,
    layers: ({embedding}, {dims}) => (dims[0]?.at(-1) === embedding ? ['layer_norm_1', 'layer_norm_2'] : []),
  },
  {
    pattern: /^aten::(gelu|relu|silu)(_backward)?$/,
    layers: ({hidden}, {dims}) => (dims[0]?.at(-1) === hidden ? ['act'] : []),
  },
];
