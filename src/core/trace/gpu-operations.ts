import type {Table} from '../table/table.js';

/**
 * One row per kernel, copy, memset or graph traced as a whole, sorted by start.
 *
 *     row  slice  process  device  stream  correlation  externalId     bytes
 *      0     11        0       0       7          135           -1        -1   a kernel
 *      1     12        0       0       7          139          600       256   a copy
 *
 * `slice` is the row of the slices table with its name and times. `correlation` is CUPTI's id of the launching call,
 * unique within a process; `externalId` is Kineto's id of the operator that launched it. Both are -1 where the
 * capture has none, and below -1 where the file's number does not fit a double (then it stands for that number).
 */
export const gpuOperationSchema = {
  slice: 'i32',
  process: 'few',
  device: 'few',
  stream: 'whole',
  correlation: 'whole',
  externalId: 'whole',
  bytes: 'whole',
} as const;
export type GpuOperationTable = Table<typeof gpuOperationSchema>;

/** One row per CUDA or HIP API call, in the order of the slices table. `correlation` is as for GPU operations. */
export const apiCallSchema = {slice: 'i32', process: 'few', correlation: 'whole'} as const;
export type ApiCallTable = Table<typeof apiCallSchema>;

/**
 * One row per CPU operator or annotation that has Kineto ids, in the order of the slices table.
 *
 * `sequence` numbers the autograd node that the operator made (forward) or runs (backward), -1 for none.
 * `forwardThread` is 0 for forward operators; for backward ones it is the recorder's own number of the forward thread.
 */
export const operatorSchema = {slice: 'i32', externalId: 'whole', sequence: 'whole', forwardThread: 'whole'} as const;
export type OperatorTable = Table<typeof operatorSchema>;
