import type {Precision} from '../estimate/precision.js';

/**
 * The inputs of an operator as recorded by a profiler, one entry each (`Input Dims`, `Input type`, `Concrete Inputs`).
 */
export interface OperatorInputs {
  /** Sizes of a tensor; empty for other inputs. Null for a list of tensors. */
  readonly dims: readonly (readonly number[] | null)[];
  /** `float`, `c10::Half`, `Scalar`, … */
  readonly types: readonly string[];
  /** Values of scalars and lists as text: `[3, 3]`, `False`; empty if the profiler recorded none. */
  readonly values: readonly string[];
}

/** Row of `slices` (an operator) → its inputs. */
export type OperatorShapes = ReadonlyMap<number, OperatorInputs>;

/** A tensor among the inputs. */
export interface Tensor {
  readonly dims: readonly number[];
  readonly elements: number;
  readonly bytes: number;
  readonly elementBytes: number;
  readonly type: string;
}

/** Bytes per element, by the names of tensor types in PyTorch's profiler. */
const elementBytes: ReadonlyMap<string, number> = new Map([
  ['double', 8],
  ['float', 4],
  ['c10::Half', 2],
  ['c10::BFloat16', 2],
  ['c10::Float8_e4m3fn', 1],
  ['c10::Float8_e5m2', 1],
  ['c10::Float8_e4m3fnuz', 1],
  ['c10::Float8_e5m2fnuz', 1],
  ['long int', 8],
  ['long', 8],
  ['int', 4],
  ['short', 2],
  ['short int', 2],
  ['signed char', 1],
  ['unsigned char', 1],
  ['bool', 1],
]);

const precisionOfType: ReadonlyMap<string, Precision> = new Map([
  ['float', 'fp32'],
  ['c10::Half', 'fp16'],
  ['c10::BFloat16', 'bf16'],
  ['c10::Float8_e4m3fn', 'fp8'],
  ['c10::Float8_e5m2', 'fp8'],
  ['c10::Float8_e4m3fnuz', 'fp8'],
  ['c10::Float8_e5m2fnuz', 'fp8'],
]);

/** PyTorch's names of the types, for which its profiler uses C++ names. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ['double', 'float64'],
  ['float', 'float32'],
  ['c10::Half', 'float16'],
  ['c10::BFloat16', 'bfloat16'],
  ['c10::Float8_e4m3fn', 'float8_e4m3fn'],
  ['c10::Float8_e5m2', 'float8_e5m2'],
  ['c10::Float8_e4m3fnuz', 'float8_e4m3fnuz'],
  ['c10::Float8_e5m2fnuz', 'float8_e5m2fnuz'],
  ['long int', 'int64'],
  ['long', 'int64'],
  ['int', 'int32'],
  ['short', 'int16'],
  ['short int', 'int16'],
  ['signed char', 'int8'],
  ['unsigned char', 'uint8'],
  ['bool', 'bool'],
]);

/** Returns a tensor's data type by its PyTorch name, an unknown one by the profiler's; null if it is no tensor. */
export function tensorTypeName(type: string, dims: readonly number[] | null): string | null {
  const name = typeNames.get(type);
  if (name !== undefined) return name;
  return dims !== null && dims.length > 0 && type !== '' ? type : null;
}

/** Returns the tensor at a position of the inputs, null if there is none, or its type is unknown. */
export function tensorAt({dims, types}: OperatorInputs, at: number): Tensor | null {
  const sizes = dims[at];
  const type = types[at] ?? '';
  const size = elementBytes.get(type);
  if (!sizes || size === undefined) return null;
  const elements = sizes.reduce((product, length) => product * length, 1);
  return {dims: sizes, elements, bytes: elements * size, elementBytes: size, type};
}

/** Returns all tensors among the inputs. */
export function tensorsOf(inputs: OperatorInputs): Tensor[] {
  return inputs.types.flatMap((_, at) => tensorAt(inputs, at) ?? []);
}

/** Returns the format in which a tensor's products are computed, null if it has no peak here (integers, fp64). */
export function precisionOf({type}: Tensor): Precision | null {
  return precisionOfType.get(type) ?? null;
}

/** Returns the integers of a list among the values, such as `[3, 3]`; null if the profiler did not record it. */
export function listAt({values}: OperatorInputs, at: number): number[] | null {
  const text = values.at(at) ?? '';
  if (!/^\[[-\d, ]*\]$/.test(text)) return null;
  const inside = text.slice(1, -1).trim();
  return inside === '' ? [] : inside.split(',').map(Number);
}

/** Returns a boolean among the values, null if the profiler did not record it. */
export function flagAt({values}: OperatorInputs, at: number): boolean | null {
  const text = values[at];
  return text === 'True' ? true : text === 'False' ? false : null;
}
