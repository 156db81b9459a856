import type {CostFormula, OperatorCost} from './cost-formula.js';
import {tensorAt, type OperatorInputs} from '../figures/operator-inputs.js';

/**
 * Makes a formula from the operations per element on the vector units, and the number of moved tensors of the first
 * one's size, including the output.
 */
function rows(flopsPerElement: number, tensors: number): CostFormula {
  return (inputs: OperatorInputs): OperatorCost | null => {
    const first = tensorAt(inputs, 0);
    if (!first) return null;
    return {
      flops: {matrix: 0, vector: flopsPerElement * first.elements},
      bytes: tensors * first.bytes,
      precision: null,
    };
  };
}

/** Costs of norms and softmax, with the cost model's operations; a row's few weights and sums are ignored. */
export const rowCosts: Readonly<Record<string, CostFormula>> = {
  native_layer_norm: rows(9, 2),
  native_layer_norm_backward: rows(13, 3),
  _softmax: rows(3, 2),
  _softmax_backward_data: rows(4, 3),
  _log_softmax: rows(3, 2),
  _log_softmax_backward_data: rows(4, 3),
  native_dropout: rows(1, 2),
};
