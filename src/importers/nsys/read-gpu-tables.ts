import {getOrAdd} from '../../core/table/get-or-add.js';
import type {SliceKind} from '../../core/trace/slices.js';
import {integer, type ColumnRequest} from '../sqlite/table-source.js';
import {processKeyOf} from './nsys-identity.js';
import type {NsysReader} from './nsys-reader.js';

/** What a kernel without a name is called. */
const unnamed = '(unnamed kernel)';
const absentColumn = '';

/** A table of GPU activity: which column says what its operations are called, and how. */
interface GpuTable {
  readonly table: string;
  readonly kind: SliceKind;
  /** The columns of a name's id, the best first; none where all rows have one name. */
  readonly nameColumns: readonly string[];
  /** The string of an id; NaN where the row has none. */
  readonly nameOf: (id: number) => number;
}

/** Kernels under their full names, else their short ones. */
export function* readKernels(reader: NsysReader): Generator<number> {
  const {builder, strings} = reader;
  yield* readGpuTable(reader, {
    table: 'CUPTI_ACTIVITY_KIND_KERNEL',
    kind: 'kernel',
    nameColumns: ['demangledName', 'shortName', 'mangledName'],
    nameOf: id => (Number.isNaN(id) ? builder.strings.intern(unnamed) : strings.index(id)),
  });
}

/** Copies are named as nsys's reports name them; where the file has no labels, by the numbers of CUPTI. */
export function* readMemcpys(reader: NsysReader): Generator<number> {
  const labels = new Map(fallbackCopyLabels);
  if (reader.db.has('ENUM_CUDA_MEMCPY_OPER', 'id', 'label')) {
    for (const [id, label] of reader.db.rows<[number, unknown]>('select id, label from ENUM_CUDA_MEMCPY_OPER')) {
      if (typeof label === 'string') labels.set(id, label);
    }
  }
  const nameOf = namedOnce(reader, id => `[CUDA memcpy ${labels.get(Number.isNaN(id) ? 0 : id) ?? 'Unknown'}]`);
  yield* readGpuTable(reader, {
    table: 'CUPTI_ACTIVITY_KIND_MEMCPY',
    kind: 'gpu_memcpy',
    nameColumns: ['copyKind'],
    nameOf,
  });
}

export function* readMemsets(reader: NsysReader): Generator<number> {
  const nameOf = namedOnce(reader, () => '[CUDA memset]');
  yield* readGpuTable(reader, {table: 'CUPTI_ACTIVITY_KIND_MEMSET', kind: 'gpu_memset', nameColumns: [], nameOf});
}

export function* readGraphs(reader: NsysReader): Generator<number> {
  const nameOf = namedOnce(reader, id => (Number.isNaN(id) ? 'CUDA graph' : `CUDA graph ${String(id)}`));
  yield* readGpuTable(reader, {
    table: 'CUPTI_ACTIVITY_KIND_GRAPH_TRACE',
    kind: 'graph',
    nameColumns: ['graphId'],
    nameOf,
  });
}

/** Reads one of the tables of GPU activity, which share their columns. */
function* readGpuTable(reader: NsysReader, {table, kind, nameColumns, nameOf}: GpuTable): Generator<number> {
  const {builder} = reader;
  if (!reader.canRead(table, 'start', 'end', 'deviceId', 'streamId')) return;
  const [best = absentColumn, second = absentColumn, third = absentColumn] = nameColumns;
  const requests = {...gpuColumns, best: integer(best), second: integer(second), third: integer(third)};
  const place = new StreamPlace(reader);
  for (const {length, rowid, columns} of reader.source.read(table, requests)) {
    const {start, end, processKey, ordinal, context, stream, correlation, bytes} = columns;
    reader.see(table, start, end, length);
    for (let i = 0; i < length; i++) {
      place.find(processKey[i], ordinal[i], context[i], stream[i]);
      const id = orElse(columns.best[i], orElse(columns.second[i], columns.third[i]));
      const slice = reader.slice(place.track, start[i], end[i], nameOf(id), kind, rowid[i]);
      if (slice < 0) continue;
      const {process, device, streamId} = place;
      builder.addGpuOperation(slice, process, device, streamId, orAbsent(correlation[i]), -1, orAbsent(bytes[i]));
    }
    yield length;
  }
}

/** Where an operation ran. Most are of the same stream as the one before. */
class StreamPlace {
  track = -1;
  process = -1;
  device = -1;
  streamId = -1;
  #key = NaN;
  #ordinal = NaN;
  #context = NaN;
  #stream = NaN;

  constructor(readonly reader: NsysReader) {}

  find(processKey: number, ordinal: number, context: number, stream: number): void {
    const isSame = stream === this.#stream && context === this.#context && ordinal === this.#ordinal;
    if (isSame && processKey === this.#key) return;
    this.#key = processKey;
    this.#ordinal = ordinal;
    this.#context = context;
    this.#stream = stream;
    const {tracks} = this.reader;
    const key = Number.isNaN(processKey) ? this.reader.onlyProcess : processKey;
    this.process = tracks.process(key);
    this.device = tracks.device(key, orAbsent(ordinal));
    this.streamId = orAbsent(stream);
    this.track = tracks.stream(key, this.device, Number.isFinite(context) ? context : 0, this.streamId);
  }
}

const gpuColumns = {
  start: integer('start'),
  end: integer('end'),
  processKey: processKeyOf('globalPid'),
  ordinal: integer('deviceId'),
  context: integer('contextId'),
  stream: integer('streamId'),
  correlation: integer('correlationId'),
  bytes: integer('bytes'),
} satisfies Record<string, ColumnRequest>;

/** A name by its id, put together once. */
function namedOnce({builder}: NsysReader, nameOf: (id: number) => string): (id: number) => number {
  const names = new Map<number, number>();
  return id => getOrAdd(names, id, () => builder.strings.intern(nameOf(id)));
}

/** `value`, unless the row has none. */
function orElse(value: number, otherwise: number): number {
  return Number.isNaN(value) ? otherwise : value;
}

/** -1 for what is no number. */
function orAbsent(value: number): number {
  return Number.isFinite(value) ? value : -1;
}

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
