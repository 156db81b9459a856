/**
 * Tables whose rows become slices or instants of a kind that other tables share. Their order is not stored in any file:
 * the same version of the program writes and reads a place.
 */
const tables = [
  'CUPTI_ACTIVITY_KIND_SYNCHRONIZATION',
  'CUPTI_ACTIVITY_KIND_OVERHEAD',
  'CUPTI_ACTIVITY_KIND_JIT',
  'CUDA_GRAPH_EVENTS',
  'CUDA_GRAPH_NODE_EVENTS',
  'CUDNN_EVENTS',
  'CUBLAS_EVENTS',
  'NVVIDEO_ENCODER_API',
  'NVVIDEO_DECODER_API',
  'NVVIDEO_JPEG_API',
  'OPENGL_API',
  'VULKAN_API',
  'DX12_API',
  'MPI_P2P_EVENTS',
  'MPI_COLLECTIVES_EVENTS',
  'MPI_START_WAIT_EVENTS',
  'MPI_OTHER_EVENTS',
  'UCP_EVENTS',
  'UCP_SUBMIT_EVENTS',
  'UCP_PROGRESS_EVENTS',
  'CUPTI_ACTIVITY_KIND_OPENACC_DATA',
  'CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH',
  'CUPTI_ACTIVITY_KIND_OPENACC_OTHER',
  'OPENMP_EVENT_KIND_THREAD',
  'OPENMP_EVENT_KIND_PARALLEL',
  'OPENMP_EVENT_KIND_SYNC_REGION_WAIT',
  'OPENMP_EVENT_KIND_SYNC_REGION',
  'OPENMP_EVENT_KIND_TASK',
  'OPENMP_EVENT_KIND_MASTER',
  'OPENMP_EVENT_KIND_REDUCTION',
  'OPENMP_EVENT_KIND_TASK_CREATE',
  'OPENMP_EVENT_KIND_TASK_SCHEDULE',
  'OPENMP_EVENT_KIND_CANCEL',
  'OPENMP_EVENT_KIND_MUTEX_WAIT',
  'OPENMP_EVENT_KIND_CRITICAL_SECTION',
  'OPENMP_EVENT_KIND_MUTEX_RELEASED',
  'OPENMP_EVENT_KIND_LOCK_INIT',
  'OPENMP_EVENT_KIND_LOCK_DESTROY',
  'OPENMP_EVENT_KIND_WORKSHARE',
  'OPENMP_EVENT_KIND_DISPATCH',
  'OPENMP_EVENT_KIND_FLUSH',
  'SCHED_EVENTS',
  'COMPOSITE_EVENTS',
  'CUDA_GPU_MEMORY_USAGE_EVENTS',
  'CUDA_UM_CPU_PAGE_FAULT_EVENTS',
  'CUDA_UM_GPU_PAGE_FAULT_EVENTS',
  'NVTX_EVENTS',
] as const;

export type EventTable = (typeof tables)[number];

const numberOfTable = new Map<string, number>(tables.map((table, index) => [table, index + 1]));

/** Row ids below this fit beside the table's number in one exact double. */
const rowIds = 2 ** 40;

/** Returns a row's table and id as the `source` of a slice or instant; -1 if the row id is invalid. */
export function sourceOf(table: EventTable, rowid: number): number {
  if (!(rowid >= 0 && rowid < rowIds)) return -1;
  return (numberOfTable.get(table) ?? 0) * rowIds + rowid;
}

/** Returns the row of a `source`; the table is null if the source is only a row id, of the kind's own table. */
export function rowAt(source: number): {readonly table: EventTable | null; readonly rowid: number} {
  if (source < rowIds) return {table: null, rowid: source};
  return {table: tables[Math.floor(source / rowIds) - 1] ?? null, rowid: source % rowIds};
}
