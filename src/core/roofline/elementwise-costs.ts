import {greatest} from '../table/extremes.js';
import type {CostFormula, OperatorCost} from './cost-formula.js';
import {tensorAt, tensorsOf, type OperatorInputs, type Tensor} from '../figures/operator-inputs.js';

/** Operators that compute each output from the elements at the same position. */
const names: ReadonlySet<string> = new Set(
  [
    'add sub rsub mul div neg abs exp log sqrt rsqrt reciprocal pow square sin cos tanh sigmoid relu gelu silu clamp',
    'maximum minimum addcmul addcdiv lerp leaky_relu hardtanh elu',
    'threshold_backward gelu_backward silu_backward sigmoid_backward tanh_backward',
  ].flatMap(list => list.split(' ')),
);

/** Returns the formula of an elementwise operator, one operation per output; null for other operators. */
export function elementwiseCost(name: string): CostFormula | null {
  if (name === 'copy_') return copy;
  if (name === 'fill_' || name === 'zero_') return fill;
  const isInPlace = name.endsWith('_');
  const base = isInPlace ? name.slice(0, -1) : name;
  if (!names.has(base)) return null;
  return inputs => elementwise(inputs, isInPlace);
}

/**
 * Returns the cost: tensors are read once, and the output (the first tensor, if in place) is written; smaller tensors
 * are broadcast.
 */
function elementwise(inputs: OperatorInputs, isInPlace: boolean): OperatorCost | null {
  const tensors = tensorsOf(inputs);
  if (tensors.length === 0) return null;
  const [first] = tensors;
  const output = isInPlace ? first.elements : spreadElements(tensors);
  if (output === null) return null;
  // The widest type among tensors of the output's size: a double scalar does not widen it.
  const widest = greatest(tensors.filter(({dims}) => dims.length > 0 || first.dims.length === 0).map(sizeOf));
  return {
    flops: {matrix: 0, vector: output},
    bytes: tensors.reduce((sum, {bytes}) => sum + bytes, 0) + output * (isInPlace ? first.elementBytes : widest),
    precision: null,
  };
}

function sizeOf({elementBytes}: Tensor): number {
  return elementBytes;
}

/** Returns the elements of the output after broadcasting the tensors; null if their sizes do not fit. */
function spreadElements(tensors: readonly Tensor[]): number | null {
  const rank = greatest(tensors.map(({dims}) => dims.length));
  let elements = 1;
  for (let side = 1; side <= rank; side++) {
    const sizes = new Set(tensors.map(({dims}) => dims[dims.length - side] ?? 1));
    sizes.delete(1);
    if (sizes.size > 1) return null;
    elements *= [...sizes][0] ?? 1;
  }
  return elements;
}

/** Returns the cost of reading the source and writing the target, which may have another type. */
function copy(inputs: OperatorInputs): OperatorCost | null {
  const [target, source] = [tensorAt(inputs, 0), tensorAt(inputs, 1)];
  if (!target || !source) return null;
  return {flops: {matrix: 0, vector: 0}, bytes: target.bytes + source.bytes, precision: null};
}

function fill(inputs: OperatorInputs): OperatorCost | null {
  const target = tensorAt(inputs, 0);
  return target && {flops: {matrix: 0, vector: 0}, bytes: target.bytes, precision: null};
}
