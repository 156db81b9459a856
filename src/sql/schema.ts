/** The type of a column. `name` is a text that many rows share: it is stored once, and joined by the table's view. */
type ColumnType = 'integer' | 'real' | 'text' | 'name';

export interface SqlColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** What it means, with its unit; docs/sql.md and the editor's completion say the same. */
  readonly about: string;
}

export interface SqlTable {
  readonly name: string;
  readonly about: string;
  readonly columns: readonly SqlColumn[];
}

const column =
  (type: ColumnType) =>
  (name: string, about: string): SqlColumn => ({name, type, about});
const integer = column('integer');
const real = column('real');
const text = column('text');
const name = column('name');

const times = (what: string): SqlColumn[] => [
  integer('start_ns', `When ${what} begins, ns from the first event of the profile`),
  integer('end_ns', 'When it ends: start_ns + duration_ns'),
  integer('duration_ns', 'How long it takes, ns'),
];
const pid = text('pid', 'The process, as the file spells its number');
const tid = integer('tid', 'The system’s number of the thread');
const trackId = integer('track_id', 'tracks.id of the row of the timeline that it stands on');
const device = integer('device', 'The CUDA device’s number');
const place = (what: string): SqlColumn[] => [
  name('file', `The file of the innermost frame of your own code that ${what}`),
  integer('line', 'The line of that frame'),
  name('function', 'The function of that frame'),
  name('stack', 'The whole stack, from the outermost frame inwards'),
];
const sliceId = (what: string) => integer('slice_id', `slices.id of ${what}`);

const operationColumns: readonly SqlColumn[] = [
  integer('id', 'Number of the operation, in order of start'),
  sliceId('the operation'),
  text('kind', 'kernel, gpu_memcpy, gpu_memset, or graph: a CUDA graph traced as a whole'),
  name('name', 'The kernel’s demangled name, or what is copied or set'),
  name('short_name', 'The kernel’s name without namespaces and parameters, with types and sizes of templates'),
  text('class', 'What a kernel does, guessed from its name: matrix product, attention, communication, …'),
  ...times('the operation'),
  device,
  integer('stream', 'The CUDA stream'),
  pid,
  integer('correlation_id', 'CUPTI’s id of the launch, unique in a process'),
  integer('bytes', 'Bytes copied or set'),
  text('source_memory', 'Memory that is copied from or set: Pageable, Pinned, Device, Managed, …'),
  text('target_memory', 'Memory that is copied to'),
  integer('launch_slice_id', 'slices.id of the API call that launched it, or of the operator that stands for one'),
  name('launch_name', 'The name of that call'),
  integer('launch_start_ns', 'When that call begins, ns'),
  integer('launch_end_ns', 'When that call ends, ns'),
  integer('launch_track_id', 'tracks.id of the thread that launched it'),
  integer('range_id', 'ranges.id of the one range that it is credited to'),
  name('range_name', 'The name of that range'),
  name('range_path', 'Names of ranges from the outermost to that one, joined by "/"'),
  text('bucket', 'Where no range has it: (outside any range), (no launch call) or (backward, unmatched)'),
  integer('is_backward', '1 where autograd launched it for a forward operator in the range'),
  integer('is_recompute', '1 where a checkpoint’s second forward pass launched it'),
  integer('operator_slice_id', 'slices.id of the innermost PyTorch operator around the launch'),
  name('operator', 'The name of that operator'),
  name('module', 'The innermost module around the launch, or around the forward operator of backward work'),
  name('python_function', 'The innermost Python function of the user’s own around it'),
  name('python_file', 'The file of that function'),
  integer('python_line', 'The line that the profiler names of that function'),
];

const notOfKernels: ReadonlySet<string> = new Set(['kind', 'bytes', 'source_memory', 'target_memory']);
const kernelColumns = operationColumns.filter(({name: own}) => !notOfKernels.has(own));

/** The tables that queries see, in the order of the documentation. */
export const sqlTables: readonly SqlTable[] = [
  {
    name: 'kernels',
    about:
      'Kernels, with the range, operator, module and Python line that launched each: gpu_operations without copies',
    columns: kernelColumns,
  },
  {
    name: 'gpu_operations',
    about: 'Kernels, copies, memsets and graphs that GPUs executed',
    columns: operationColumns,
  },
  {
    name: 'ranges',
    about: 'Each time that a tagged range (NVTX, record_function) was opened',
    columns: [
      integer('id', 'Number of the range'),
      sliceId('the range'),
      integer('parent_id', 'ranges.id of the innermost range around it on its thread'),
      name('name', 'What the range is called, with its NVTX domain in front where it has one'),
      name('path', 'Names from the outermost range to this one, joined by "/"'),
      text('kind', 'user_annotation, nvtx_pushpop or nvtx_startend'),
      name('domain', 'The NVTX domain, where it has a name'),
      trackId,
      pid,
      tid,
      ...times('the range'),
      integer('cpu_self_ns', 'CPU wall time less that of the ranges inside it, ns'),
      integer('cpu_blocked_ns', 'CPU wall time in calls that wait for the GPU, ns'),
      integer('gpu_work_ns', 'GPU operations launched inside it, summed, ns'),
      integer('gpu_self_ns', 'GPU operations that are credited to this range itself, summed, ns'),
      integer('gpu_busy_ns', 'Time in which a GPU operation launched inside it runs, per device, summed, ns'),
      integer('gpu_span_ns', 'First start to last end of the GPU operations launched inside it, ns'),
      integer('gpu_operations', 'Number of GPU operations launched inside it'),
      integer('launches', 'Number of calls that launched them'),
      integer('backward_gpu_work_ns', 'GPU operations of the backward pass of what ran inside it, summed, ns'),
      integer(
        'backward_gpu_self_ns',
        'GPU operations of the backward pass that are credited to this range itself, summed, ns',
      ),
      integer('backward_gpu_operations', 'Number of GPU operations of the backward pass of what ran inside it'),
      integer('recompute_gpu_work_ns', 'Work of checkpoints’ second forward passes in it, ns'),
      integer('gpu_tail_ns', 'From its end to that of its last GPU operation, 0 where none runs later, ns'),
      integer(
        'backward_gpu_busy_ns',
        'Time in which a GPU operation of its backward pass runs, per device, summed, ns',
      ),
      integer('has_gpu_work', '1 where GPU work was launched inside it on its own thread, else 0'),
    ],
  },
  {
    name: 'api_calls',
    about: 'CUDA runtime and driver calls',
    columns: [
      integer('id', 'Number of the call'),
      sliceId('the call'),
      name('name', 'The function that was called'),
      text('kind', 'cuda_runtime or cuda_driver'),
      ...times('the call'),
      trackId,
      pid,
      tid,
      integer('correlation_id', 'CUPTI’s id of the call, unique in a process'),
      integer('gpu_operations', 'How many GPU operations it launched'),
    ],
  },
  {
    name: 'operators',
    about: 'PyTorch operators and annotations that carry ids of autograd or Kineto',
    columns: [
      sliceId('the operator'),
      name('name', 'What it is called'),
      ...times('the operator'),
      trackId,
      tid,
      integer('external_id', 'Kineto’s id'),
      integer('sequence_number', 'Number of the autograd node that it made, or runs'),
      integer('forward_thread', 'In backward operators, the profiler’s number of the forward thread; 0 in others'),
      text('input_dims', 'Sizes of its inputs as JSON, where its cost follows from them: [[16,32],[32,8],[]]'),
      text('input_types', 'Types of its inputs as JSON: ["float","c10::BFloat16",""]'),
      real('flop', 'Floating-point operations that it computes, by its shapes'),
      real('moved_bytes', 'Bytes of its inputs and outputs once each, by its shapes'),
    ],
  },
  {
    name: 'slices',
    about: 'Every interval of the profile, on the CPU and on GPUs',
    columns: [
      integer('id', 'Number of the slice, by track, then start'),
      integer('parent_id', 'slices.id of the shortest slice around it on its track'),
      name('name', 'What it is called'),
      text('kind', 'cpu_op, kernel, cuda_runtime, python_function, …'),
      ...times('the slice'),
      trackId,
      integer('lane', 'The row inside its track on which it is drawn'),
    ],
  },
  {
    name: 'tracks',
    about: 'Rows of the timeline: threads, streams and others',
    columns: [
      integer('id', 'Number of the track'),
      text('kind', 'thread, stream, gpu-ranges, process-ranges or other'),
      name('name', 'What it is called'),
      pid,
      name('process_name', 'What the process is called'),
      tid,
      device,
      integer('slices', 'How many slices stand on it'),
    ],
  },
  {
    name: 'threads',
    about: 'The tracks that are CPU threads',
    columns: [
      trackId,
      name('name', 'What the thread is called'),
      tid,
      pid,
      name('process_name', 'What the process is called'),
      integer('slices', 'How many slices stand on it'),
    ],
  },
  {
    name: 'devices',
    about: 'GPUs',
    columns: [
      integer('id', 'The CUDA device’s number'),
      name('name', 'What it is called, where the file says so'),
      real('memory_bytes_per_second', 'Bandwidth of its memory by the data sheet, where that is known'),
    ],
  },
  {
    name: 'collectives',
    about: 'Calls of collective operations',
    columns: [
      text('operation', 'all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, …'),
      text('process_group', 'The process group’s name or number'),
      integer('ranks', 'Ranks of the group'),
      integer('bytes', 'All data of the larger side, as NCCL’s tests count them'),
      text('data_type', 'The type of its elements'),
      ...times('the call'),
      integer('busy_ns', 'Time in which one of its kernels runs, ns'),
      integer('exposed_ns', 'The part of it in which the GPU computes nothing, ns'),
      integer('kernels', 'Its kernels: 0 on the CPU, and where nothing had to be done'),
      device,
      pid,
      real(
        'bus_bytes_per_second',
        'Bus bandwidth: bytes over busy time, times the share that the slowest link carries',
      ),
      real('link_bytes_per_second', 'What the link carries in one direction by the data sheet, where that is known'),
    ],
  },
  {
    name: 'lines',
    about: 'Source lines that were noted when the profile was recorded, by the name that each stands for',
    columns: [
      name(
        'name',
        'Of a range, of a module’s ranges, of a compiled kernel (and its operator), or of a compiled region',
      ),
      text('kind', 'tag, module, compiled kernel or compiled call'),
      name('file', 'The file, relative to the workspace where it lies inside'),
      integer('line', 'The line, from 1: it opens the range, begins the module’s forward, or is what was compiled'),
      integer('count', 'How often a tag’s line opened the range'),
    ],
  },
  {
    name: 'counters',
    about: 'Samples of values over time, each of which holds until the next',
    columns: [
      integer('counter_id', 'Number of the counter: one for each name, process and device'),
      name('name', 'What is measured'),
      text('unit', 'bytes, bytesPerSecond, percent, watts, hertz, celsius or count'),
      integer('at_ns', 'When it was measured, ns from the first event'),
      integer('end_ns', 'The counter’s next sample, or the end of the profile'),
      real('value', 'The value, in the unit'),
      device,
      pid,
    ],
  },
  {
    name: 'instants',
    about: 'What happened at a moment: marks, memory events, samples',
    columns: [
      integer('id', 'Number of the instant, in order of time'),
      name('name', 'What it is called'),
      text('kind', 'nvtx_mark, marker, memory, out_of_memory, cpu_sample or page_fault'),
      integer('at_ns', 'When it happened, ns from the first event'),
      integer('bytes', 'What a memory event allocated, negative for what it freed'),
      trackId,
      tid,
    ],
  },
  {
    name: 'printed',
    about: 'Cells of tables that were printed into a text: a row for each cell that has a column of its own',
    columns: [
      integer('table_id', 'Number of the table, in order of the text'),
      text('report', 'What it is: nsys’s name of the report, key_averages or benchmark'),
      text('table_name', 'The report as stats -r names it, such as nvtx_sum@run'),
      text('run', 'Which run it is of, where the text says so'),
      text('title', 'The heading above it'),
      integer('line', 'The line of the text that it begins at'),
      integer('row', 'Number of its row, from 0'),
      name('row_name', 'What that row is about'),
      text('class', 'What a kernel of that name does, guessed from its name'),
      name('column_title', 'The title of the column, without its unit'),
      text('unit', 'ns, percent, bytes, none, …'),
      real('value', 'The number in the unit of the column; null for texts'),
      name('text', 'The text; null for numbers'),
    ],
  },
  {
    name: 'notes',
    about: 'What the profile lacks, or what was not read of it',
    columns: [text('code', 'A stable code'), text('text', 'The sentence')],
  },
  {
    name: 'profile',
    about: 'The file as a whole, in one row',
    columns: [
      text('format', 'short name of the file’s format, such as kineto or nsys'),
      text('profiler', 'What recorded it'),
      text('version', 'The version of the program that wrote the file'),
      integer('rank', 'Rank in a distributed job'),
      integer('world_size', 'Processes of a distributed job'),
      integer('origin_ns', 'The first event in the file’s own time, ns: start_ns counts from here'),
      integer('span_ns', 'First to last event, ns'),
    ],
  },
  {
    name: 'allocations',
    about: 'Every allocation that was live at some moment: of a memory snapshot, or of a profile with events of memory',
    columns: [
      integer('id', 'Number of the allocation'),
      device,
      integer('address', 'Where it lies on the device, null if that is not known'),
      integer('bytes', 'What was asked for'),
      integer('allocated_event', 'The event that allocated it, null if that was before the history'),
      integer('freed_event', 'The event that freed it, null if it is live at the end'),
      integer('is_live_at_peak', '1 where it is live at the peak of its device'),
      integer('is_live_at_end', '1 where it is live at the end'),
      integer('allocated_us', 'When it was allocated, µs since 1970, null if not known'),
      integer('freed_us', 'When it was freed, µs since 1970, null if not known'),
      integer('stream', 'The stream that it was allocated for, null if that was before the history'),
      name('category', 'What the writer of the snapshot says that it is for, if it does'),
      name('metadata', 'What the program had noted then (torch.cuda.memory._set_memory_metadata)'),
      ...place('allocated it'),
    ],
  },
  {
    name: 'segments',
    about: 'Memory snapshots: memory that the allocator holds at the end, by segment. Empty for other profiles',
    columns: [
      integer('id', 'Number of the segment'),
      device,
      integer('address', 'Where it begins on the device'),
      integer('bytes', 'Its size: these add up to the reserved bytes'),
      integer('stream', 'The stream that it was reserved for'),
      integer('is_expandable', '1 where it grows in place (expandable_segments)'),
      integer('blocks', 'Blocks in it, free ones included'),
      integer('requested_bytes', 'What its live allocations asked for'),
      integer('active_bytes', 'Blocks that are in use or wait for another stream, as they were rounded up'),
      integer('free_bytes', 'Blocks that are free'),
      integer('largest_free_bytes', 'The largest block that is free'),
      ...place('reserved it'),
    ],
  },
];

/** Returns the table with a name, in any case. */
export function findSqlTable(tableName: string): SqlTable | undefined {
  const wanted = tableName.toLowerCase();
  return sqlTables.find(table => table.name === wanted);
}
