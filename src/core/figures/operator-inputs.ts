import type {Precision} from '../estimate/precision.js';

/** What a profiler kept of an operator's inputs, one entry each (`Input Dims`, `Input type`, `Concrete Inputs`). */
export interface OperatorInputs {
  /** Sizes of a tensor; empty for what is none. Null for a list of tensors. */
  readonly dims: readonly (readonly number[] | null)[];
  /** `float`, `c10::Half`, `Scalar`, … */
  readonly types: readonly string[];
  /** Values of scalars and lists as text: `[3, 3]`, `False`; empty where the profiler kept none. */
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

/** Bytes of an element by the names that PyTorch's profiler has for types of tensors. */
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

/** What PyTorch calls the types that its profiler names as C++ does. */
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

/** A tensor's data type as PyTorch calls it, one that is not known as the profiler does; null for what is no tensor. */
export function tensorTypeName(type: string, dims: readonly number[] | null): string | null {
  const name = typeNames.get(type);
  if (name !== undefined) return name;
  return dims !== null && dims.length > 0 && type !== '' ? type : null;
}

/** The tensor at a place of the inputs, null where there is none, or its type is not known. */
export function tensorAt({dims, types}: OperatorInputs, at: number): Tensor | null {
  const sizes = dims[at];
  const type = types[at] ?? '';
  const size = elementBytes.get(type);
  if (!sizes || size === undefined) return null;
  const elements = sizes.reduce((product, length) => product * length, 1);
  return {dims: sizes, elements, bytes: elements * size, elementBytes: size, type};
}

/** All tensors among the inputs. */
export function tensorsOf(inputs: OperatorInputs): Tensor[] {
  return inputs.types.flatMap((_, at) => tensorAt(inputs, at) ?? []);
}

/** The format that products of a tensor run in, null for one that has no peak here (integers, fp64). */
export function precisionOf({type}: Tensor): Precision | null {
  return precisionOfType.get(type) ?? null;
}

/** The whole numbers of a list among the values: `[3, 3]`, null where the profiler did not keep it. */
export function listAt({values}: OperatorInputs, at: number): number[] | null {
  const text = values.at(at) ?? '';
  if (!/^\[[-\d, ]*\]$/.test(text)) return null;
  const inside = text.slice(1, -1).trim();
  return inside === '' ? [] : inside.split(',').map(Number);
}

/** A truth value among the values, null where the profiler did not keep it. */
export function flagAt({values}: OperatorInputs, at: number): boolean | null {
  const text = values[at];
  return text === 'True' ? true : text === 'False' ? false : null;
}
