import type {CostFormula, OperatorCost} from './cost-formula.js';
import {flagAt, precisionOf, tensorAt, type OperatorInputs, type Tensor} from './operator-inputs.js';

/**
 * Two products forward, five backward, of `[batch, length, heads, width]`; a causal mask halves them but for the
 * diagonal. Bytes: queries, keys, values and output (backward: and their gradients) once each.
 */
function fused(
  query: Tensor | null,
  key: Tensor | null,
  value: Tensor | null,
  isCausal: boolean | null,
  products: 2 | 5,
): OperatorCost | null {
  if (!query || !key || !value || isCausal === null) return null;
  // With three sides, sequences of different lengths stand one after the other, and only a tensor has the lengths.
  if (query.dims.length !== 4 || key.dims.length !== 4) return null;
  const [batch, length, heads, width] = query.dims;
  const [, keys] = key.dims;
  const pairs = isCausal ? causalPairs(length, keys) : length * keys;
  const moved = products === 2 ? 1 : 2;
  return {
    flops: {matrix: products * 2 * batch * heads * pairs * width, vector: 0},
    bytes: moved * (2 * query.bytes + key.bytes + value.bytes),
    precision: precisionOf(query),
  };
}

/** Pairs of a query and the keys up to its own place, the last query having all of them. */
function causalPairs(length: number, keys: number): number {
  const seen = Math.min(length, keys);
  return seen * (keys - seen) + (seen * (seen + 1)) / 2;
}

function flashForward(inputs: OperatorInputs): OperatorCost | null {
  const [query, key, value] = [0, 1, 2].map(at => tensorAt(inputs, at));
  return fused(query ?? null, key ?? null, value ?? null, flagAt(inputs, 8), 2);
}

function flashBackward(inputs: OperatorInputs): OperatorCost | null {
  const [query, key, value] = [1, 2, 3].map(at => tensorAt(inputs, at));
  return fused(query ?? null, key ?? null, value ?? null, flagAt(inputs, 11), 5);
}

/** The kind of mask is a number: 0 for none, 1 and 2 for causal ones. */
function efficientForward(inputs: OperatorInputs): OperatorCost | null {
  const [query, key, value] = [0, 1, 2].map(at => tensorAt(inputs, at));
  const mask = inputs.values[9] ?? '';
  const isCausal = mask === '0' ? false : mask === '1' || mask === '2' ? true : null;
  return fused(query ?? null, key ?? null, value ?? null, isCausal, 2);
}

/**
 * Attention in one kernel.
 *
 * @see torch/utils/flop_counter.py, _flash_attention_forward_flop and sdpa_backward_flop_count (without a mask);
 *   native_functions.yaml for the inputs' order
 */
export const attentionCosts: Readonly<Record<string, CostFormula>> = {
  _flash_attention_forward: flashForward,
  _flash_attention_backward: flashBackward,
  _efficient_attention_forward: efficientForward,
};
