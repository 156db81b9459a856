import {kindIndex, type SliceKind} from '../../../core/trace/slices.js';
import {processKeySql, threadIdSql} from '../database/nsys-identity.js';
import type {NsysStrings} from '../database/nsys-strings.js';
import {rowsPerTurn, type NsysReader} from '../database/nsys-reader.js';
import type {EventReader} from './event-reader.js';
import {sourceOf, type EventTable} from './row-place.js';

/**
 * Tables of calls: what a thread did from `start` to `end`, by a name in `StringIds`. Most keep its id in `nameId`, MPI
 * and UCX in `textId`.
 */
const callTables: readonly (readonly [table: EventTable, what: string, kind: SliceKind, nameColumn?: 'textId'])[] = [
  ['CUDNN_EVENTS', 'cuDNN calls', 'library_call'],
  ['CUBLAS_EVENTS', 'cuBLAS calls', 'library_call'],
  ['NVVIDEO_ENCODER_API', 'video encoder calls', 'library_call'],
  ['NVVIDEO_DECODER_API', 'video decoder calls', 'library_call'],
  ['NVVIDEO_JPEG_API', 'JPEG decoder calls', 'library_call'],
  ['OPENGL_API', 'OpenGL calls', 'library_call'],
  ['VULKAN_API', 'Vulkan calls', 'vulkan_call'],
  ['DX12_API', 'Direct3D 12 calls', 'library_call'],
  ['MPI_P2P_EVENTS', 'MPI point-to-point calls', 'mpi', 'textId'],
  ['MPI_COLLECTIVES_EVENTS', 'MPI collectives', 'mpi', 'textId'],
  ['MPI_START_WAIT_EVENTS', 'MPI start and wait calls', 'mpi', 'textId'],
  ['MPI_OTHER_EVENTS', 'other MPI calls', 'mpi', 'textId'],
  ['UCP_EVENTS', 'UCX calls', 'library_call', 'textId'],
  ['UCP_SUBMIT_EVENTS', 'UCX submissions', 'library_call', 'textId'],
  ['UCP_PROGRESS_EVENTS', 'UCX progress', 'library_call', 'textId'],
  ['CUPTI_ACTIVITY_KIND_OPENACC_DATA', 'OpenACC data events', 'openacc'],
  ['CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH', 'OpenACC launches', 'openacc'],
  ['CUPTI_ACTIVITY_KIND_OPENACC_OTHER', 'other OpenACC events', 'openacc'],
  ['OPENMP_EVENT_KIND_THREAD', 'OpenMP threads', 'openmp'],
  ['OPENMP_EVENT_KIND_PARALLEL', 'OpenMP parallel regions', 'openmp'],
  ['OPENMP_EVENT_KIND_SYNC_REGION_WAIT', 'OpenMP waits', 'openmp'],
  ['OPENMP_EVENT_KIND_SYNC_REGION', 'OpenMP synchronisation', 'openmp'],
  ['OPENMP_EVENT_KIND_TASK', 'OpenMP tasks', 'openmp'],
  ['OPENMP_EVENT_KIND_MASTER', 'OpenMP master regions', 'openmp'],
  ['OPENMP_EVENT_KIND_REDUCTION', 'OpenMP reductions', 'openmp'],
  ['OPENMP_EVENT_KIND_TASK_CREATE', 'OpenMP task creation', 'openmp'],
  ['OPENMP_EVENT_KIND_TASK_SCHEDULE', 'OpenMP task scheduling', 'openmp'],
  ['OPENMP_EVENT_KIND_CANCEL', 'OpenMP cancellation', 'openmp'],
  ['OPENMP_EVENT_KIND_MUTEX_WAIT', 'OpenMP mutex waits', 'openmp'],
  ['OPENMP_EVENT_KIND_CRITICAL_SECTION', 'OpenMP critical sections', 'openmp'],
  ['OPENMP_EVENT_KIND_MUTEX_RELEASED', 'OpenMP mutex releases', 'openmp'],
  ['OPENMP_EVENT_KIND_LOCK_INIT', 'OpenMP lock creation', 'openmp'],
  ['OPENMP_EVENT_KIND_LOCK_DESTROY', 'OpenMP lock destruction', 'openmp'],
  ['OPENMP_EVENT_KIND_WORKSHARE', 'OpenMP worksharing', 'openmp'],
  ['OPENMP_EVENT_KIND_DISPATCH', 'OpenMP dispatch', 'openmp'],
  ['OPENMP_EVENT_KIND_FLUSH', 'OpenMP flushes', 'openmp'],
  // In 2022 this table held what CUDA_GRAPH_NODE_EVENTS holds since; later it holds the events of whole graphs.
  ['CUDA_GRAPH_EVENTS', 'CUDA graph events', 'cuda_graph_event'],
  ['CUDA_GRAPH_NODE_EVENTS', 'CUDA graph node events', 'cuda_graph_event'],
  ['CUPTI_ACTIVITY_KIND_OVERHEAD', 'profiling overhead', 'overhead'],
  ['CUPTI_ACTIVITY_KIND_JIT', 'just-in-time compilation', 'overhead'],
];

export const callReaders: readonly EventReader[] = callTables.map(([table, what, kind, nameColumn = 'nameId']) => ({
  table,
  what,
  columns: ['start', 'end', 'globalTid', nameColumn],
  read: reader => readCalls(reader, table, kind, nameColumn),
}));

function* readCalls(reader: NsysReader, table: EventTable, kind: SliceKind, nameColumn: string): Generator<number> {
  const {db, strings, tracks} = reader;
  // OpenACC events have the source line to which they belong.
  const place = ['srcFile', 'lineNo'].map(name => (kind === 'openacc' ? db.column(table, name, 'null') : 'null'));
  const sql = `select rowid, start, "end", ${processKeySql('globalTid')}, ${threadIdSql('globalTid')}, ${nameColumn},
    ${place.join()} from ${table}`;
  type Row = [number, number, number | null, number, number, number | null, number | null, number | null];
  let rows = 0;
  for (const [rowid, start, end, key, tid, nameId, srcFile, lineNo] of db.rows<Row>(sql)) {
    const track = kind === 'overhead' ? tracks.overhead(key, tid) : tracks.thread(key, tid);
    const name = srcFile === null ? strings.index(nameId ?? NaN) : placedName(strings, nameId, srcFile, lineNo);
    reader.slice(track, start, end ?? NaN, name, kindIndex[kind], sourceOf(table, rowid));
    if (++rows % rowsPerTurn === 0) yield rowsPerTurn;
  }
  yield rows % rowsPerTurn;
}

/** Returns a name followed by its place, as nsys writes it: `Enter Data@main.c:12`. */
function placedName(strings: NsysStrings, nameId: number | null, srcFile: number, lineNo: number | null): number {
  return strings.table.intern(`${strings.text(nameId ?? NaN)}@${strings.text(srcFile)}:${String(lineNo ?? '')}`);
}
