import type {CostFormula, OperatorCost} from './cost-formula.js';
import {flagAt, precisionOf, tensorAt, type OperatorInputs, type Tensor} from './operator-inputs.js';

/** Which keys a query has: all, those up to its own place, or with the last query all and one less for each before it. */
type Mask = 'none' | 'causal-from-top-left' | 'causal-from-bottom-right';

/**
 * Two products forward, five backward, of `[batch, length, heads, width]`; a causal mask halves them but for the
 * diagonal. Bytes: queries, keys, values and output (backward: and their gradients) once each.
 */
function fused(
  query: Tensor | null,
  key: Tensor | null,
  value: Tensor | null,
  mask: Mask | null,
  products: 2 | 5,
): OperatorCost | null {
  if (!query || !key || !value || mask === null) return null;
  // With three sides, sequences of different lengths stand one after the other, and only a tensor has the lengths.
  if (query.dims.length !== 4 || key.dims.length !== 4) return null;
  const [batch, length, heads, width] = query.dims;
  const [, keys] = key.dims;
  const pairs = pairsOf(mask, length, keys);
  const moved = products === 2 ? 1 : 2;
  return {
    flops: {matrix: products * 2 * batch * heads * pairs * width, vector: 0},
    bytes: moved * (2 * query.bytes + key.bytes + value.bytes),
    precision: precisionOf(query),
  };
}

/** Pairs of a query and a key that it has. */
function pairsOf(mask: Mask, length: number, keys: number): number {
  const seen = Math.min(length, keys);
  const triangle = (seen * (seen + 1)) / 2;
  switch (mask) {
    case 'none':
      return length * keys;
    case 'causal-from-top-left':
      return triangle + (length - seen) * keys;
    case 'causal-from-bottom-right':
      return triangle + seen * (keys - seen);
  }
}

function flashMask(isCausal: boolean | null): Mask | null {
  return isCausal === null ? null : isCausal ? 'causal-from-bottom-right' : 'none';
}

function flashForward(inputs: OperatorInputs): OperatorCost | null {
  const [query, key, value] = [0, 1, 2].map(at => tensorAt(inputs, at));
  return fused(query ?? null, key ?? null, value ?? null, flashMask(flagAt(inputs, 8)), 2);
}

function flashBackward(inputs: OperatorInputs): OperatorCost | null {
  const [query, key, value] = [1, 2, 3].map(at => tensorAt(inputs, at));
  return fused(query ?? null, key ?? null, value ?? null, flashMask(flagAt(inputs, 11)), 5);
}

/** `sdp::CustomMaskType` of ATen/native/transformers/sdp_utils_cpp.h, by its number. */
const efficientMasks: readonly Mask[] = ['none', 'causal-from-top-left', 'causal-from-bottom-right'];

function efficientForward(inputs: OperatorInputs): OperatorCost | null {
  const [query, key, value] = [0, 1, 2].map(at => tensorAt(inputs, at));
  const number = inputs.values[9] ?? '';
  const mask = /^\d$/.test(number) ? efficientMasks[Number(number)] : undefined;
  return fused(query ?? null, key ?? null, value ?? null, mask ?? null, 2);
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
