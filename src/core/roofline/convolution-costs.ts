import type {CostFormula, OperatorCost} from './cost-formula.js';
import {flagAt, listAt, precisionOf, tensorAt, type OperatorInputs, type Tensor} from '../figures/operator-inputs.js';

/** Positions of a convolution's inputs besides the tensors. Absent inputs have their defaults. */
interface ConvolutionInputs {
  readonly padding: number;
  readonly stride: number;
  /** 1 if absent. */
  readonly dilation?: number;
  /** Whether it is transposed: the position of the flag, or true for all such operators; not transposed if absent. */
  readonly transposed?: number | true;
  /** Only for transposed convolutions: sizes added to the output, and the number of groups; 0 and 1 if absent. */
  readonly outputPadding?: number;
  readonly groups?: number;
}

/** The inputs are in the order of ATen/native/native_functions.yaml. */
const general = {stride: 3, padding: 4, dilation: 5, transposed: 6, outputPadding: 7, groups: 8} as const;
const forwardOperators: Readonly<Record<string, ConvolutionInputs>> = {
  convolution: general,
  _convolution: general,
  convolution_overrideable: general,
  cudnn_convolution: {padding: 2, stride: 3, dilation: 4},
  cudnn_convolution_relu: {stride: 3, padding: 4, dilation: 5},
  cudnn_convolution_add_relu: {stride: 5, padding: 6, dilation: 7},
  cudnn_convolution_transpose: {
    ...{transposed: true, padding: 2, outputPadding: 3, stride: 4, dilation: 5, groups: 6},
  },
  miopen_convolution: {padding: 3, stride: 4, dilation: 5},
  miopen_depthwise_convolution: {padding: 3, stride: 4, dilation: 5},
  miopen_convolution_relu: {stride: 3, padding: 4, dilation: 5},
  miopen_convolution_add_relu: {stride: 5, padding: 6, dilation: 7},
  miopen_convolution_transpose: {
    ...{transposed: true, padding: 3, outputPadding: 4, stride: 5, dilation: 6, groups: 7},
  },
  _slow_conv2d_forward: {stride: 4, padding: 5},
  slow_conv3d_forward: {stride: 4, padding: 5},
  slow_conv_dilated2d: {stride: 4, padding: 5, dilation: 6},
  slow_conv_dilated3d: {stride: 4, padding: 5, dilation: 6},
  slow_conv_transpose2d: {transposed: true, stride: 4, padding: 5, outputPadding: 6, dilation: 7},
  slow_conv_transpose3d: {transposed: true, stride: 4, padding: 5, outputPadding: 6, dilation: 7},
  _conv_depthwise2d: {stride: 4, padding: 5, dilation: 6},
  conv_depthwise3d: {stride: 4, padding: 5, dilation: 6},
};

/** Returns a list from the inputs; `usual` if the operator has none. */
function listOr(inputs: OperatorInputs, at: number | undefined, usual: number): readonly number[] | null {
  return at === undefined ? [usual] : listAt(inputs, at);
}

/** Returns the number for a dimension; a single number holds for all dimensions. */
function ofSide(list: readonly number[], side: number): number {
  return list.at(side) ?? list.at(0) ?? NaN;
}

/** Returns whether an operator with these inputs is transposed; null if the profiler did not record it. */
function isTransposed(inputs: OperatorInputs, {transposed = false as const}: {transposed?: number | boolean}) {
  return typeof transposed === 'number' ? flagAt(inputs, transposed) : transposed;
}

/** Returns the sizes of an output after batch and channels; null if the sizes are inconsistent or were not recorded. */
function outputSides(
  input: Tensor,
  weight: Tensor,
  at: ConvolutionInputs,
  inputs: OperatorInputs,
  transposed: boolean,
): number[] | null {
  const padding = listAt(inputs, at.padding);
  const stride = listAt(inputs, at.stride);
  const dilation = listOr(inputs, at.dilation, 1);
  const added = transposed ? listOr(inputs, at.outputPadding, 0) : [0];
  if (!padding || !stride || !dilation || !added) return null;
  const [sizes, kernel] = [input.dims.slice(2), weight.dims.slice(2)];
  if (sizes.length === 0 || sizes.length !== kernel.length) return null;
  const sides = sizes.map((size, side) => {
    const reach = ofSide(dilation, side) * (kernel[side] - 1) + 1;
    const [around, step] = [2 * ofSide(padding, side), ofSide(stride, side)];
    return transposed
      ? (size - 1) * step - around + reach + ofSide(added, side)
      : Math.floor((size + around - reach) / step) + 1;
  });
  return sides.every(side => side > 0) ? sides : null;
}

/**
 * Returns the forward cost: for each output, as many multiplies and adds as a filter has elements; for a transposed
 * convolution, the same for each input.
 */
function forward(at: ConvolutionInputs, inputs: OperatorInputs): OperatorCost | null {
  const [input, weight] = [tensorAt(inputs, 0), tensorAt(inputs, 1)];
  const transposed = isTransposed(inputs, at);
  if (!input || !weight || transposed === null) return null;
  const sides = outputSides(input, weight, at, inputs, transposed);
  const channels = transposed ? weight.dims[1] * groupsOf(inputs, at) : weight.dims[0];
  if (!sides || Number.isNaN(channels)) return null;
  const output = sides.reduce((product, side) => product * side, input.dims[0] * channels);
  return {
    flops: {matrix: 2 * (transposed ? input.elements : output) * filterElements(weight), vector: 0},
    bytes: input.bytes + weight.bytes + output * input.elementBytes,
    precision: precisionOf(input),
  };
}

/** Returns the number of groups; NaN if the profiler did not record it. */
function groupsOf({values}: OperatorInputs, {groups}: ConvolutionInputs): number {
  if (groups === undefined) return 1;
  return /^\d{1,9}$/.test(values[groups] ?? '') ? Number(values[groups]) : NaN;
}

/** Returns the elements of one filter: all dimensions of the weight except the first, which counts filters. */
function filterElements({dims}: Tensor): number {
  return dims.slice(1).reduce((product, size) => product * size, 1);
}

/** Positions of the inputs of a backward operator that computes gradients of the input and of the weight. */
interface BackwardInputs {
  readonly transposed?: number;
  /** Position of the flags for what is computed. */
  readonly mask: number;
}

const backwardOperators: Readonly<Record<string, BackwardInputs>> = {
  convolution_backward: {transposed: 7, mask: 10},
  convolution_backward_overrideable: {transposed: 6, mask: 9},
  _slow_conv2d_backward: {mask: 6},
};

/**
 * Returns the backward cost. The input's and the weight's gradient each take as many operations as forward; the mask
 * shows which are computed.
 */
function backward(at: BackwardInputs, inputs: OperatorInputs): OperatorCost | null {
  const [gradient, input, weight] = [0, 1, 2].map(place => tensorAt(inputs, place));
  const mask = /^\[(True|False), (True|False), (?:True|False)\]$/.exec(inputs.values[at.mask] ?? '');
  const transposed = isTransposed(inputs, at);
  if (!gradient || !input || !weight || !mask || transposed === null) return null;
  const [ofInput, ofWeight] = [mask[1] === 'True', mask[2] === 'True'];
  const once = 2 * (transposed ? input : gradient).elements * filterElements(weight);
  return {
    flops: {matrix: (Number(ofInput) + Number(ofWeight)) * once, vector: 0},
    bytes:
      gradient.bytes * (Number(ofInput) + Number(ofWeight)) +
      (ofInput ? weight.bytes + input.bytes : 0) +
      (ofWeight ? input.bytes + weight.bytes : 0),
    precision: precisionOf(gradient),
  };
}

/** Until the end of 2021, the gradient of the input was a separate operator, with its size as a number. */
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

/** Makes a formula for each operator. */
function formulas<Inputs>(
  operators: Readonly<Record<string, Inputs>>,
  cost: (at: Inputs, inputs: OperatorInputs) => OperatorCost | null,
): Record<string, CostFormula> {
  return Object.fromEntries(Object.entries(operators).map(([name, at]) => [name, inputs => cost(at, inputs)]));
}

/**
 * Costs of convolutions, from the values of padding, stride and dilation, which newer profiles record.
 *
 * @see torch/utils/flop_counter.py, conv_flop_count and conv_backward_flop
 */
export const convolutionCosts: Readonly<Record<string, CostFormula>> = {
  ...formulas(forwardOperators, forward),
  ...formulas(backwardOperators, backward),
  cudnn_convolution_backward_input: backwardInput,
};
