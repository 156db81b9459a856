import type {CostFormula, OperatorCost} from './cost-formula.js';
import {flagAt, listAt, precisionOf, tensorAt, type OperatorInputs, type Tensor} from './operator-inputs.js';

/** Sizes of a convolution's output; null where they do not fit together. */
function outputElements(
  input: Tensor,
  weight: Tensor,
  padding: readonly number[] | null,
  stride: readonly number[] | null,
  dilation: readonly number[] | null,
): number | null {
  if (!padding || !stride || !dilation) return null;
  const [batch = 0, , ...sizes] = input.dims;
  const [channels = 0, , ...kernel] = weight.dims;
  if (sizes.length === 0 || sizes.length !== kernel.length) return null;
  const at = (list: readonly number[], side: number) => list.at(side) ?? list.at(0) ?? NaN;
  return sizes.reduce((elements, size, side) => {
    const reach = at(dilation, side) * ((kernel[side] ?? 0) - 1) + 1;
    const steps = Math.floor((size + 2 * at(padding, side) - reach) / at(stride, side)) + 1;
    return elements * (steps > 0 ? steps : NaN);
  }, batch * channels);
}

/** Each output is as many multiplies and adds as a filter has elements. */
function forward(
  input: Tensor | null,
  weight: Tensor | null,
  lists: readonly [padding: number, stride: number, dilation: number],
  inputs: OperatorInputs,
): OperatorCost | null {
  if (!input || !weight) return null;
  const [padding, stride, dilation] = lists.map(at => listAt(inputs, at));
  const output = outputElements(input, weight, padding ?? null, stride ?? null, dilation ?? null);
  if (output === null) return null;
  return {
    flops: {matrix: 2 * output * filterElements(weight), vector: 0},
    bytes: input.bytes + weight.bytes + output * input.elementBytes,
    precision: precisionOf(input),
  };
}

/** Elements of one filter: all sides of the weight but the outputs'. */
function filterElements({dims}: Tensor): number {
  return dims.slice(1).reduce((product, size) => product * size, 1);
}

/** As many operations for the input's gradient as forward, and for the weight's; the mask tells which are computed. */
function backward(inputs: OperatorInputs): OperatorCost | null {
  const [gradient, input, weight] = [0, 1, 2].map(at => tensorAt(inputs, at));
  const mask = /^\[(True|False), (True|False), (?:True|False)\]$/.exec(inputs.values[10] ?? '');
  if (!gradient || !input || !weight || !mask || flagAt(inputs, 7) !== false) return null;
  const [ofInput, ofWeight] = [mask[1] === 'True', mask[2] === 'True'];
  const once = 2 * gradient.elements * filterElements(weight);
  return {
    flops: {matrix: (Number(ofInput) + Number(ofWeight)) * once, vector: 0},
    bytes:
      gradient.bytes * (Number(ofInput) + Number(ofWeight)) +
      (ofInput ? weight.bytes + input.bytes : 0) +
      (ofWeight ? input.bytes + weight.bytes : 0),
    precision: precisionOf(gradient),
  };
}

/** Before 2021's end the gradient of the input was an operator of its own, with its size as a number. */
function backwardInput(inputs: OperatorInputs): OperatorCost | null {
  const size = listAt(inputs, 0);
  const [gradient, weight] = [tensorAt(inputs, 1), tensorAt(inputs, 2)];
  if (!size || !gradient || !weight) return null;
  const input = size.reduce((product, side) => product * side, 1) * gradient.elementBytes;
  return {
    flops: {matrix: 2 * gradient.elements * filterElements(weight), vector: 0},
    bytes: gradient.bytes + weight.bytes + input,
    precision: precisionOf(gradient),
  };
}

/**
 * Convolutions, by the values of padding, stride and dilation, which newer profiles keep.
 *
 * @see torch/utils/flop_counter.py, conv_flop_count and conv_backward_flop; native_functions.yaml for the inputs' order
 */
export const convolutionCosts: Readonly<Record<string, CostFormula>> = {
  cudnn_convolution: inputs => forward(tensorAt(inputs, 0), tensorAt(inputs, 1), [2, 3, 4], inputs),
  miopen_convolution: inputs => forward(tensorAt(inputs, 0), tensorAt(inputs, 1), [3, 4, 5], inputs),
  convolution_backward: backward,
  cudnn_convolution_backward_input: backwardInput,
};
