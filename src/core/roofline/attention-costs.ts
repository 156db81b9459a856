import type {CostFormula, OperatorCost} from './cost-formula.js';
import {flagAt, precisionOf, tensorAt, type OperatorInputs} from '../figures/operator-inputs.js';

/**
 * The keys of a query: all; those up to its own position; or all for the last query, and one fewer for each query
 * before it.
 */
type Mask = 'none' | 'causal-from-top-left' | 'causal-from-bottom-right';

/** The inputs of an operator that computes attention in one kernel. */
interface AttentionOperator {
  readonly pass: 'forward' | 'backward';
  /** Position of the queries among the inputs; keys and values follow. */
  readonly queryAt: number;
  /** `[batch, length, heads, width]` or `[batch, heads, length, width]`. */
  readonly order: 'length first' | 'heads first';
  /** Returns the mask; null if the profiler did not record it. */
  readonly mask: (inputs: OperatorInputs) => Mask | null;
  /** Positions of tensors with the lengths of packed sequences, and of sizes of a sliding window. */
  readonly unknownPairsAt?: readonly number[];
}

/** The sizes of the products of attention. */
export interface AttentionSizes {
  readonly batch: number;
  readonly heads: number;
  readonly queries: number;
  readonly keys: number;
  /** Width of a head of queries and keys; `valueWidth` for values. */
  readonly width: number;
  readonly valueWidth: number;
}

/** The values of `sdp::CustomMaskType` in ATen/native/transformers/sdp_utils_cpp.h, by number. */
const customMasks: readonly Mask[] = ['none', 'causal-from-top-left', 'causal-from-bottom-right'];

function numbered(at: number): AttentionOperator['mask'] {
  return ({values}) => customMasks.find((_, number) => String(number) === values[at]) ?? null;
}

function flagged(at: number, causal: Mask): AttentionOperator['mask'] {
  return inputs => {
    const isCausal = flagAt(inputs, at);
    return isCausal === null ? null : isCausal ? causal : 'none';
  };
}

/** The inputs are in the order of ATen/native/native_functions.yaml. */
const operators: ReadonlyMap<string, AttentionOperator> = new Map<string, AttentionOperator>([
  [
    '_flash_attention_forward',
    {
      ...{pass: 'forward', queryAt: 0, order: 'length first', mask: flagged(8, 'causal-from-bottom-right')},
      unknownPairsAt: [3, 4, 11, 12, 13],
    },
  ],
  [
    '_flash_attention_backward',
    {
      ...{pass: 'backward', queryAt: 1, order: 'length first', mask: flagged(11, 'causal-from-bottom-right')},
      unknownPairsAt: [6, 7, 15, 16],
    },
  ],
  [
    '_efficient_attention_forward',
    {
      ...{pass: 'forward', queryAt: 0, order: 'length first', mask: numbered(9)},
      unknownPairsAt: [4, 5, 12, 13],
    },
  ],
  [
    '_efficient_attention_backward',
    {
      ...{pass: 'backward', queryAt: 1, order: 'length first', mask: numbered(14)},
      unknownPairsAt: [6, 7, 18],
    },
  ],
  [
    '_cudnn_attention_forward',
    {
      ...{pass: 'forward', queryAt: 0, order: 'heads first', mask: flagged(10, 'causal-from-top-left')},
      unknownPairsAt: [4, 5],
    },
  ],
  [
    '_cudnn_attention_backward',
    {
      ...{pass: 'backward', queryAt: 1, order: 'heads first', mask: flagged(14, 'causal-from-top-left')},
      unknownPairsAt: [9, 10],
    },
  ],
  // These call the operators above, unless they launch the kernel themselves.
  [
    '_scaled_dot_product_flash_attention',
    {pass: 'forward', queryAt: 0, order: 'heads first', mask: flagged(4, 'causal-from-bottom-right')},
  ],
  [
    '_scaled_dot_product_flash_attention_backward',
    {
      ...{pass: 'backward', queryAt: 1, order: 'heads first', mask: flagged(11, 'causal-from-bottom-right')},
      unknownPairsAt: [6, 7],
    },
  ],
  [
    '_scaled_dot_product_flash_attention_for_cpu',
    {pass: 'forward', queryAt: 0, order: 'heads first', mask: flagged(4, 'causal-from-top-left')},
  ],
  [
    '_scaled_dot_product_flash_attention_for_cpu_backward',
    {pass: 'backward', queryAt: 1, order: 'heads first', mask: flagged(7, 'causal-from-top-left')},
  ],
  [
    '_scaled_dot_product_efficient_attention',
    {pass: 'forward', queryAt: 0, order: 'heads first', mask: flagged(6, 'causal-from-top-left')},
  ],
  [
    '_scaled_dot_product_efficient_attention_backward',
    {pass: 'backward', queryAt: 1, order: 'heads first', mask: flagged(11, 'causal-from-top-left')},
  ],
  [
    '_scaled_dot_product_cudnn_attention',
    {pass: 'forward', queryAt: 0, order: 'heads first', mask: flagged(6, 'causal-from-top-left')},
  ],
  [
    '_scaled_dot_product_cudnn_attention_backward',
    {
      ...{pass: 'backward', queryAt: 1, order: 'heads first', mask: flagged(14, 'causal-from-top-left')},
      unknownPairsAt: [9, 10],
    },
  ],
]);

/**
 * Returns the sizes of the attention that an operator computes; null for other operators, and for inconsistent sizes.
 */
export function attentionSizesOf(name: string, inputs: OperatorInputs): AttentionSizes | null {
  const operator = operators.get(name.replace(/^aten::/, ''));
  return operator ? sizesOf(operator, inputs) : null;
}

function sizesOf({queryAt, order}: AttentionOperator, {dims}: OperatorInputs): AttentionSizes | null {
  const [query, key, value] = [0, 1, 2].map(at => sidesOf(dims[queryAt + at], order));
  if (!query || !key || !value) return null;
  const isFitting = key.batch === query.batch && value.batch === query.batch && key.width === query.width;
  // Several heads of queries may share a head of keys and values.
  const isShared = key.heads === value.heads && query.heads % key.heads === 0;
  if (!isFitting || !isShared || key.length !== value.length) return null;
  const {batch, heads, length: queries, width} = query;
  return {batch, heads, queries, keys: key.length, width, valueWidth: value.width};
}

/**
 * Returns the sizes of a tensor. Null for three dimensions, where sequences of different lengths are packed, with the
 * lengths in a separate tensor.
 */
function sidesOf(dims: readonly number[] | null | undefined, order: AttentionOperator['order']) {
  if (dims?.length !== 4) return null;
  const [batch, second, third, width] = dims;
  return order === 'length first'
    ? {batch, length: second, heads: third, width}
    : {batch, heads: second, length: third, width};
}

/** Returns the number of pairs of a query and a key that the mask leaves. */
function pairsOf(mask: Mask, queries: number, keys: number): number {
  const seen = Math.min(queries, keys);
  const triangle = (seen * (seen + 1)) / 2;
  switch (mask) {
    case 'none':
      return queries * keys;
    case 'causal-from-top-left':
      return triangle + (queries - seen) * keys;
    case 'causal-from-bottom-right':
      return triangle + seen * (keys - seen);
  }
}

/** Returns whether a tensor of lengths or a window's size is given: a missing input has neither sizes nor a value. */
function isGiven({dims, values}: OperatorInputs, at: number): boolean {
  const value = values[at] ?? '';
  return (dims[at]?.length ?? 0) > 0 || !(value === '' || value === 'None' || value === '-1');
}

/**
 * Returns the cost for the pairs that the mask leaves. Forward has two products (scores, output), backward five (scores
 * again; the gradients of values, of scores, of queries, of keys). Bytes: queries, keys, values and output once each;
 * in backward their gradients, too.
 */
function attentionCost(operator: AttentionOperator, inputs: OperatorInputs): OperatorCost | null {
  const sizes = sizesOf(operator, inputs);
  const mask = operator.mask(inputs);
  const [query, key, value] = [0, 1, 2].map(at => tensorAt(inputs, operator.queryAt + at));
  if (!sizes || !query || !key || !value || mask === null) return null;
  if (operator.unknownPairsAt?.some(at => isGiven(inputs, at))) return null;
  const {batch, heads, queries, keys, width, valueWidth} = sizes;
  const operationsOfPair = operator.pass === 'forward' ? 2 * (width + valueWidth) : 2 * (3 * width + 2 * valueWidth);
  const outputBytes = batch * heads * queries * valueWidth * query.elementBytes;
  const moved = operator.pass === 'forward' ? 1 : 2;
  return {
    flops: {matrix: operationsOfPair * batch * heads * pairsOf(mask, queries, keys), vector: 0},
    bytes: moved * (query.bytes + key.bytes + value.bytes + outputBytes),
    precision: precisionOf(query),
  };
}

/**
 * Costs of attention in one kernel.
 *
 * @see torch/utils/flop_counter.py, sdpa_flop_count and sdpa_backward_flop_count, which count no mask
 */
export const attentionCosts: Readonly<Record<string, CostFormula>> = Object.fromEntries(
  Array.from(operators, ([name, operator]): [string, CostFormula] => [name, inputs => attentionCost(operator, inputs)]),
);
