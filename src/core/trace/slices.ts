import type {Table} from '../table/table.js';

/**
 * Kinds of slices. Kineto's categories keep their spelling; NVTX ranges are split by style, because start/end ranges
 * are not part of a thread's stack.
 */
export const sliceKinds = [
  'user_annotation',
  'nvtx_pushpop',
  'nvtx_startend',
  'cpu_op',
  'module',
  'python_function',
  'cuda_runtime',
  'cuda_driver',
  'kernel',
  'gpu_memcpy',
  'gpu_memset',
  'graph',
  'gpu_user_annotation',
  'cuda_sync',
  'cuda_graph_event',
  'page_fault',
  'overhead',
  'osrt',
  'library_call',
  'vulkan_call',
  'mpi',
  'openacc',
  'openmp',
  'thread_running',
  'profiler_span',
  'other',
] as const;

export type SliceKind = (typeof sliceKinds)[number];
export type SliceKindSet = ReadonlySet<SliceKind>;

/** The number of a kind in `slices.kind`. */
export const kindIndex = Object.fromEntries(sliceKinds.map((kind, index) => [kind, index])) as Record<
  SliceKind,
  number
>;

/** Ranges that the user named: NVTX push/pop and start/end ranges, and `record_function`. */
export const taggedRangeKinds: SliceKindSet = new Set<SliceKind>(['user_annotation', 'nvtx_pushpop', 'nvtx_startend']);
export const apiCallKinds: SliceKindSet = new Set<SliceKind>(['cuda_runtime', 'cuda_driver']);
/** GPU work; projected annotations are spans over such work, not work. */
export const gpuOperationKinds: SliceKindSet = new Set<SliceKind>(['kernel', 'gpu_memcpy', 'gpu_memset', 'graph']);

/**
 * One row per interval, sorted by `track`, then `startNs`, then longer first, so that a parent precedes its children.
 *
 *       row  track  startNs  durationNs  kind             name           source
 *        0       0        0        9000  user_annotation  "train_step"     5120
 *        1       0     1000        2000  cpu_op           "aten::mm"       5344
 *        2       1     1800         700  kernel           "gemm"           9021
 *
 * Times count from the trace's origin. `source` is where the details can be read again: a byte offset (JSON) or a rowid
 * (SQLite).
 */
export const sliceSchema = {
  startNs: 'f64',
  durationNs: 'whole',
  name: 'few',
  track: 'few',
  kind: 'u8',
  source: 'whole',
} as const;
export type SliceTable = Table<typeof sliceSchema>;

/** Returns an array of 0 and 1 by kind index, so that a test in a hot loop is one array read. */
export function kindMask(kinds: SliceKindSet): Uint8Array {
  return Uint8Array.from(sliceKinds, kind => (kinds.has(kind) ? 1 : 0));
}
