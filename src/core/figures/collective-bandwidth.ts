/** Operations of collective communication, by their PyTorch names; `other` if the operation is unknown. */
export const collectiveOperations = [
  'all_reduce',
  'all_gather',
  'reduce_scatter',
  'all_to_all',
  'broadcast',
  'send_recv',
  'gather',
  'scatter',
  'reduce',
  'send',
  'recv',
  'barrier',
  'other',
] as const;
export type CollectiveOperation = (typeof collectiveOperations)[number];

/**
 * Returns the operation that a text names: PyTorch's `_allgather_base` and `nccl:all_reduce`, NCCL's
 * `ncclDevKernel_AllReduce…`, MPI's `MPI_Bcast`.
 *
 * A kernel's name also contains its reduction (`ReduceScatter_Sum`), so longer words are looked for first.
 */
export function collectiveOperation(text: string): CollectiveOperation {
  const letters = text
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace('bcast', 'broadcast');
  return collectiveOperations.find(operation => letters.includes(operation.replaceAll('_', ''))) ?? 'other';
}

/**
 * Returns the ratio of bus bandwidth to algorithm bandwidth among `ranks` ranks: the share of its data that a rank must
 * send over the slowest link, whatever the algorithm; 1 for operations without such a rule.
 *
 * @see NCCL tests, doc/PERFORMANCE.md, "Bus bandwidth"
 */
export function busFactor(operation: CollectiveOperation, ranks: number): number {
  switch (operation) {
    case 'all_reduce':
      return (2 * (ranks - 1)) / ranks;
    case 'all_gather':
    case 'reduce_scatter':
    case 'all_to_all':
    case 'gather':
    case 'scatter':
      return (ranks - 1) / ranks;
    default:
      return 1;
  }
}

/** Bytes per element, by PyTorch's names of data types and by the C++ names that traces use for operators' inputs. */
const elementBytes: Readonly<Record<string, number>> = {
  byte: 1,
  char: 1,
  bool: 1,
  'unsigned char': 1,
  'signed char': 1,
  short: 2,
  half: 2,
  bfloat16: 2,
  int: 4,
  float: 4,
  long: 8,
  'long int': 8,
  'long long': 8,
  double: 8,
  complexfloat: 8,
  complexdouble: 16,
};

/** Returns the bytes per element of a data type; NaN for unknown types. */
export function bytesOfType(type: string): number {
  const name = type.toLowerCase().replace(/^c10::/, '');
  if (name.startsWith('float8_')) return 1;
  return Object.hasOwn(elementBytes, name) ? (elementBytes[name] ?? NaN) : NaN;
}

/** The arguments that determine how many bytes a call counts; NaN if unknown. */
export interface CollectiveSize {
  readonly inElements: number;
  readonly outElements: number;
  readonly groupSize: number;
  readonly dataType: string | null;
}

/**
 * Returns the bytes that NCCL's tests count for a call: all data of the larger side, which is the output of an
 * all-gather and the input of a reduce-scatter. NaN if the profile does not record it.
 *
 * @see NCCL tests, doc/PERFORMANCE.md, "Algorithm bandwidth"
 */
export function collectiveBytes(operation: CollectiveOperation, size: CollectiveSize): number {
  const {inElements, groupSize, dataType} = size;
  // The output of an all-gather contains the input of every rank.
  const gathered = operation === 'all_gather' ? inElements * groupSize : inElements;
  const outElements = Number.isNaN(size.outElements) ? gathered : size.outElements;
  const elements = Number.isNaN(inElements) ? outElements : Math.max(inElements, outElements);
  return elements * bytesOfType(dataType ?? '');
}
