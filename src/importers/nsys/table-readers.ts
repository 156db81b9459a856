import type {SliceKind} from '../../core/trace/slices.js';
import {processKeySql, threadIdSql} from './nsys-identity.js';
import {rowsPerTurn, type NsysReader} from './nsys-reader.js';
import {readNvtx} from './read-nvtx.js';

interface TableReader {
  readonly tables: readonly string[];
  /** Yields the number of rows since it last yielded. */
  readonly read: (reader: NsysReader) => Generator<number>;
}

type GpuRow = [
  rowid: number,
  start: number,
  end: number,
  device: number,
  context: number,
  stream: number,
  correlation: number | null,
  processKey: number | null,
  name: number | null,
  bytes: number | null,
];

const kernelTable = 'CUPTI_ACTIVITY_KIND_KERNEL';
const memcpyTable = 'CUPTI_ACTIVITY_KIND_MEMCPY';
const memsetTable = 'CUPTI_ACTIVITY_KIND_MEMSET';
const graphTable = 'CUPTI_ACTIVITY_KIND_GRAPH_TRACE';
const runtimeTable = 'CUPTI_ACTIVITY_KIND_RUNTIME';

/** What a kernel without a name is called. */
const unnamed = '(unnamed kernel)';

export const tableReaders: readonly TableReader[] = [
  {tables: [kernelTable], read: readKernels},
  {tables: [memcpyTable], read: readMemcpys},
  {
    tables: [memsetTable],
    read: reader => readGpuTable(reader, memsetTable, 'gpu_memset', 'null', () => '[CUDA memset]'),
  },
  {
    tables: [graphTable],
    read: reader =>
      readGpuTable(
        reader,
        graphTable,
        'graph',
        reader.db.column(graphTable, 'graphId', 'null'),
        id => `CUDA graph ${id}`,
      ),
  },
  {tables: [runtimeTable], read: readApiCalls},
  {tables: ['NVTX_EVENTS'], read: readNvtx},
  {tables: ['OSRT_API'], read: readOsRuntime},
  {tables: ['PROFILER_OVERHEAD'], read: readOverhead},
];

function* readKernels(reader: NsysReader): Generator<number> {
  const {db, strings} = reader;
  const names = ['demangledName', 'shortName', 'mangledName'].filter(column => db.has(kernelTable, column));
  const name = names.length > 0 ? `coalesce(${[...names, 'null'].join()})` : 'null';
  yield* readGpuTable(reader, kernelTable, 'kernel', name, id => (id === '' ? unnamed : strings.text(Number(id))));
}

/** Copies are named as nsys's reports name them; where the file has no labels, by the numbers of CUPTI. */
function* readMemcpys(reader: NsysReader): Generator<number> {
  const labels = new Map(fallbackCopyLabels);
  if (reader.db.has('ENUM_CUDA_MEMCPY_OPER', 'id', 'label')) {
    for (const [id, label] of reader.db.rows<[number, unknown]>('select id, label from ENUM_CUDA_MEMCPY_OPER')) {
      if (typeof label === 'string') labels.set(id, label);
    }
  }
  const kind = reader.db.column(memcpyTable, 'copyKind', '0');
  yield* readGpuTable(
    reader,
    memcpyTable,
    'gpu_memcpy',
    kind,
    id => `[CUDA memcpy ${labels.get(Number(id)) ?? 'Unknown'}]`,
  );
}

/** Reads one of the tables of GPU activity, which share their columns. `nameId` becomes a name by `nameOf`. */
function* readGpuTable(
  reader: NsysReader,
  table: string,
  kind: SliceKind,
  nameId: string,
  nameOf: (id: string) => string,
): Generator<number> {
  const {db, builder, tracks} = reader;
  if (!reader.canRead(table, 'start', 'end', 'deviceId', 'streamId')) return;
  const process = db.has(table, 'globalPid') ? processKeySql('globalPid') : 'null';
  const sql = `select rowid, start, "end", deviceId, ${db.column(table, 'contextId', '0')}, streamId,
    ${db.column(table, 'correlationId', 'null')}, ${process}, ${nameId}, ${db.column(table, 'bytes', 'null')}
    from ${table}`;
  const names = new Map<number | null, number>();
  let rows = 0;
  for (const row of db.rows<GpuRow>(sql)) {
    const [rowid, start, end, ordinal, context, stream, correlation, globalKey, id, bytes] = row;
    const processKey = globalKey ?? reader.onlyProcess ?? 0;
    const device = tracks.device(processKey, ordinal);
    let name = names.get(id);
    if (name === undefined) names.set(id, (name = builder.strings.intern(nameOf(String(id ?? '')))));
    const track = tracks.stream(processKey, device, context, stream);
    const slice = reader.slice(track, start, end, name, kind, rowid);
    if (slice >= 0) {
      const joinProcess = tracks.process(processKey);
      builder.addGpuOperation(slice, joinProcess, device, stream, correlation ?? -1, -1, bytes ?? -1);
    }
    if (++rows % rowsPerTurn === 0) yield rowsPerTurn;
  }
  yield rows % rowsPerTurn;
}

function* readApiCalls(reader: NsysReader): Generator<number> {
  const {db, builder, strings, tracks} = reader;
  if (!reader.canRead(runtimeTable, 'start', 'end', 'globalTid', 'nameId')) return;
  const sql = `select rowid, start, "end", ${processKeySql('globalTid')}, ${threadIdSql('globalTid')},
    ${db.column(runtimeTable, 'correlationId', 'null')}, nameId, ${db.column(runtimeTable, 'eventClass', 'null')}
    from ${runtimeTable}`;
  type Row = [number, number, number, number, number, number | null, number, number | null];
  let rows = 0;
  for (const [rowid, start, end, processKey, tid, correlation, nameId, eventClass] of db.rows<Row>(sql)) {
    const isDriver = eventClass === null ? /^cu[A-Z]/.test(strings.text(nameId)) : eventClass === driverEventClass;
    const kind = isDriver ? 'cuda_driver' : 'cuda_runtime';
    const slice = reader.slice(tracks.thread(processKey, tid), start, end, strings.index(nameId), kind, rowid);
    if (slice >= 0) builder.addApiCall(slice, tracks.process(processKey), correlation ?? -1);
    if (++rows % rowsPerTurn === 0) yield rowsPerTurn;
  }
  yield rows % rowsPerTurn;
}

/** Only rows of class 27 are calls; 31 and 32 are markers without a duration. */
function* readOsRuntime(reader: NsysReader): Generator<number> {
  const {db} = reader;
  const where = db.has('OSRT_API', 'eventClass') ? `where eventClass = ${String(osRuntimeEventClass)}` : '';
  yield* readThreadTable(reader, 'OSRT_API', 'osrt', where);
}

function* readOverhead(reader: NsysReader): Generator<number> {
  yield* readThreadTable(reader, 'PROFILER_OVERHEAD', 'overhead', '');
}

function* readThreadTable(reader: NsysReader, table: string, kind: SliceKind, where: string): Generator<number> {
  const {db, strings, tracks} = reader;
  if (!reader.canRead(table, 'start', 'end', 'globalTid', 'nameId')) return;
  const sql = `select rowid, start, "end", ${processKeySql('globalTid')}, ${threadIdSql('globalTid')}, nameId
    from ${table} ${where}`;
  let rows = 0;
  for (const [rowid, start, end, key, tid, nameId] of db.rows<[number, number, number, number, number, number]>(sql)) {
    const track = kind === 'overhead' ? tracks.overhead(key, tid) : tracks.thread(key, tid);
    reader.slice(track, start, end, strings.index(nameId), kind, rowid);
    if (++rows % rowsPerTurn === 0) yield rowsPerTurn;
  }
  yield rows % rowsPerTurn;
}

/** ENUM_NSYS_EVENT_CLASS, which may be missing or empty. */
const driverEventClass = 1;
const osRuntimeEventClass = 27;

/** Labels of ENUM_CUDA_MEMCPY_OPER, for files that have no such table. */
const fallbackCopyLabels: ReadonlyMap<number, string> = new Map(
  [
    'Unknown',
    'Host-to-Device',
    'Device-to-Host',
    'Host-to-Array',
    'Array-to-Host',
    'Array-to-Array',
    'Array-to-Device',
    'Device-to-Array',
    'Device-to-Device',
    'Host-to-Host',
    'Peer-to-Peer',
    'Unified Host-to-Device',
    'Unified Device-to-Host',
    'Unified Device-to-Device',
  ].map((label, kind) => [kind, label]),
);
