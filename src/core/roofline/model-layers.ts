import type {ModelShape} from '../estimate/model-shape.js';
import {attentionSizesOf} from './attention-costs.js';
import type {OperatorInputs} from '../figures/operator-inputs.js';
import {productSizesOf} from './product-costs.js';

/** The role of an operator in a model. */
export interface MatchedLayers {
  /** Names of the cost model's layers with these shapes; several if they have the same shapes. */
  readonly layers: readonly string[];
  readonly pass: 'forward' | 'backward';
}

/** A weight of a model's linear layers: both fused weights and the separate ones that some models have. */
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
 * Returns the layers of a model that an operator's shapes match, null for none. Only shapes decide, so layers with the
 * same shapes are named together; nothing is guessed. The number of tokens is arbitrary.
 *
 * - forward, `[tokens, inner] × [inner, columns]` of a weight;
 * - backward, `[tokens, columns] × [columns, inner]` for the input's gradient, and the product for the weight's
 *   gradient;
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

/** Layers that are not products, by their operators. */
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
