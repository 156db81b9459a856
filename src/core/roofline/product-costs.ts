import type {CostFormula, OperatorCost} from './cost-formula.js';
import {precisionOf, tensorAt, type OperatorInputs, type Tensor} from '../figures/operator-inputs.js';

/** Returns `2·batch·m·k·n` operations for `[…, m, k]` times `[…, k, n]`; null if the sizes do not fit. */
function product(
  a: Tensor | null,
  b: Tensor | null,
  added: Tensor | null,
  outputElementBytes: number | null,
): OperatorCost | null {
  const sizes = a && b ? productSizes(a, b) : null;
  if (!a || !b || !sizes) return null;
  const {batch, m, k, n} = sizes;
  const output = batch * m * n;
  return {
    flops: {matrix: 2 * output * k, vector: 0},
    bytes: a.bytes + b.bytes + (added?.bytes ?? 0) + output * (outputElementBytes ?? a.elementBytes),
    precision: precisionOf(a),
  };
}

/** The sizes of a product of two matrices, or of a batch of them. */
export interface ProductSizes {
  readonly batch: number;
  readonly m: number;
  readonly k: number;
  readonly n: number;
}

function productSizes(a: Tensor, b: Tensor): ProductSizes | null {
  if (a.dims.length !== b.dims.length || (a.dims.length !== 2 && a.dims.length !== 3)) return null;
  const [m = 0, k = 0] = a.dims.slice(-2);
  const [inner, n = 0] = b.dims.slice(-2);
  const [batch = 1, other = 1] = a.dims.length === 3 ? [a.dims[0], b.dims[0]] : [];
  return inner === k && batch === other ? {batch, m, k, n} : null;
}

/** The positions of the two matrices among the inputs, by the operator's name. */
const matricesAt: Readonly<Record<string, readonly [number, number]>> = {
  mm: [0, 1],
  bmm: [0, 1],
  addmm: [1, 2],
  addmm_: [1, 2],
  baddbmm: [1, 2],
  baddbmm_: [1, 2],
  _addmm_activation: [1, 2],
  _scaled_mm: [0, 1],
};

/** Returns the sizes of the product that an operator computes; null for other operators. */
export function productSizesOf(name: string, inputs: OperatorInputs): ProductSizes | null {
  const own = name.replace(/^aten::/, '');
  const at = Object.hasOwn(matricesAt, own) ? matricesAt[own] : undefined;
  const [a, b] = at ? [tensorAt(inputs, at[0]), tensorAt(inputs, at[1])] : [null, null];
  return a && b ? productSizes(a, b) : null;
}

/**
 * Costs of matrix products: each output takes `k` multiplies and `k` adds, as in PyTorch's own counter. Other additions
 * to the output are not counted.
 *
 * @see torch/utils/flop_counter.py, mm_flop, addmm_flop, bmm_flop, baddbmm_flop
 */
export const productCosts: Readonly<Record<string, CostFormula>> = Object.fromEntries(
  Object.entries(matricesAt).map(([name, [first, second]]): [string, CostFormula] => [
    name,
    // The matrix to add comes first; the result of an fp8 product is written in two bytes.
    inputs =>
      product(
        tensorAt(inputs, first),
        tensorAt(inputs, second),
        first === 1 ? tensorAt(inputs, 0) : null,
        name === '_scaled_mm' ? 2 : null,
      ),
  ]),
);
