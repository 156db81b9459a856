/** Numbers of kinds and operations, as the profiler lists them under `strings`. */
const kinds = [
  {kind: 'NONE', operations: []},
  {kind: 'HSA_CORE_API', operations: ['hsa_init', 'hsa_signal_store_relaxed']},
  {kind: 'HIP_RUNTIME_API', operations: ['hipMemcpyAsync', 'hipLaunchKernel', 'hipDeviceSynchronize']},
  {
    kind: 'MARKER_CORE_API',
    operations: ['roctxMarkA', 'roctxRangePushA', 'roctxRangePop', 'roctxRangeStartA', 'roctxGetThreadId'],
  },
  {kind: 'MARKER_CORE_RANGE_API', operations: ['roctxMarkA', 'roctxThreadRangeA', 'roctxProcessRangeA']},
  {kind: 'MEMORY_COPY', operations: ['MEMORY_COPY_NONE', 'MEMORY_COPY_HOST_TO_HOST', 'MEMORY_COPY_HOST_TO_DEVICE']},
  {
    kind: 'KERNEL_DISPATCH',
    operations: ['KERNEL_DISPATCH_NONE', 'KERNEL_DISPATCH_ENQUEUE', 'KERNEL_DISPATCH_COMPLETE'],
  },
  {kind: 'RCCL_API', operations: ['ncclAllReduce']},
] as const;

type Kind = (typeof kinds)[number]['kind'];
export type RocprofRecord = Readonly<Record<string, unknown>>;

/** The time of the first record: ns from the start of the machine. */
export const bootNs = 63_857_982_592_000;
export const agents = {cpu: 101, gpu: 102, otherGpu: 103} as const;

const times = (atNs: number, durationNs: number) => ({
  start_timestamp: bootNs + atNs,
  end_timestamp: bootNs + atNs + durationNs,
});

/** Returns a call of an API, or a range. */
export function call(
  kind: Kind,
  operation: string,
  correlation: number,
  atNs: number,
  durationNs: number,
  thread = 908,
): RocprofRecord {
  const number = kinds.findIndex(names => names.kind === kind);
  const names: readonly string[] = kinds[number]?.operations ?? [];
  return {
    size: 48,
    kind: number,
    operation: names.indexOf(operation),
    thread_id: thread,
    correlation_id: {internal: correlation, external: 0},
    ...times(atNs, durationNs),
  };
}

export function dispatch(
  kernel: number,
  correlation: number,
  atNs: number,
  durationNs: number,
  more: RocprofRecord = {stream_id: {handle: 7}},
): RocprofRecord {
  return {
    ...call('KERNEL_DISPATCH', 'KERNEL_DISPATCH_COMPLETE', correlation, atNs, durationNs),
    dispatch_info: {
      size: 72,
      agent_id: {handle: agents.gpu},
      queue_id: {handle: 18},
      kernel_id: kernel,
      dispatch_id: correlation,
      private_segment_size: 0,
      group_segment_size: 3072,
      workgroup_size: {x: 256, y: 2, z: 1},
      grid_size: {x: 1000, y: 4, z: 1},
    },
    ...more,
  };
}

export function copy(
  from: number,
  to: number,
  correlation: number,
  atNs: number,
  durationNs: number,
  bytes: number,
): RocprofRecord {
  return {
    ...call('MEMORY_COPY', 'MEMORY_COPY_HOST_TO_DEVICE', correlation, atNs, durationNs),
    dst_agent_id: {handle: to},
    src_agent_id: {handle: from},
    bytes,
  };
}

/** Returns a whole process: members that are not given are as rocprofv3 writes them without data. */
export function rocprofProcess(records: RocprofRecord, more: RocprofRecord = {}): RocprofRecord {
  return {
    metadata: {
      pid: 908,
      init_time: bootNs - 5000,
      fini_time: bootNs + 90_000,
      command: ['/usr/bin/python3.12', 'train.py'],
      config: {group_by_queue: false},
    },
    agents: [
      {id: {handle: agents.cpu}, type: 1, product_name: 'EPYC', gpu_index: -1, logical_node_type_id: 0},
      {id: {handle: agents.gpu}, type: 2, product_name: 'AMD Instinct MI300X', gpu_index: 0, logical_node_type_id: 0},
      {id: {handle: agents.otherGpu}, type: 2, name: 'gfx942', logical_node_type_id: 1},
    ],
    counters: [],
    strings: {callback_records: [], buffer_records: kinds, marker_api: [{key: 1, value: 'step'}]},
    code_objects: [{code_object_id: 1, uri: '"[{'}],
    kernel_symbols: [
      {
        kernel_id: 8,
        kernel_name: '_Z4gemmPf.kd',
        formatted_kernel_name: 'gemm(float*)',
        truncated_kernel_name: 'gemm',
        arch_vgpr_count: 32,
        group_segment_size: 1024,
      },
    ],
    summary: [],
    callback_records: {counter_collection: []},
    buffer_records: records,
    ...more,
  };
}

/** One step: a range with a copy and a kernel, each launched by a HIP call. */
export const stepRecords: RocprofRecord = {
  kernel_dispatch: [dispatch(8, 3, 4000, 2000)],
  hip_api: [
    call('HIP_RUNTIME_API', 'hipMemcpyAsync', 2, 1000, 500),
    call('HIP_RUNTIME_API', 'hipLaunchKernel', 3, 2000, 400),
  ],
  hsa_api: [call('HSA_CORE_API', 'hsa_signal_store_relaxed', 4, 2100, 100)],
  marker_api: [call('MARKER_CORE_API', 'roctxRangePushA', 1, 0, 9000)],
  memory_copy: [copy(agents.cpu, agents.gpu, 2, 1600, 800, 4096)],
  memory_allocation: [{}, {}],
};

/** Returns a file of these processes. */
export function rocprofText(...processes: readonly RocprofRecord[]): string {
  const all = processes.length === 0 ? [rocprofProcess(stepRecords)] : processes;
  return JSON.stringify({'rocprofiler-sdk-tool': all});
}
