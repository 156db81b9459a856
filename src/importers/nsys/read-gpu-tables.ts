import {getOrAdd} from '../../core/table/get-or-add.js';
import {kindIndex} from '../../core/trace/slices.js';
import {integer, type ColumnRequest} from '../sqlite/table-source.js';
import {processKeyOf} from './database/nsys-identity.js';
import type {NsysReader} from './database/nsys-reader.js';
import {gpuTable} from './database/table-names.js';

/** The name of a kernel without a name. */
const unnamed = '(unnamed kernel)';
const absentColumn = '';

/** A table of GPU activity: the columns and the form of its operations' names. */
interface GpuTable {
  readonly table: string;
  /** Index of the kind of its slices. */
  readonly kind: number;
  /** The columns of a name's id, the best first; empty if all rows have one name. */
  readonly nameColumns: readonly string[];
  /** Returns the string of an id; the id is NaN if the row has none. */
  readonly nameOf: (id: number) => number;
}

/** Reads kernels under their full names, else their short ones. */
export function* readKernels(reader: NsysReader): Generator<number> {
  const {builder, strings} = reader;
  yield* readGpuTable(reader, {
    table: gpuTable.kernels,
    kind: kindIndex.kernel,
    nameColumns: ['demangledName', 'shortName', 'mangledName'],
    nameOf: id => (Number.isNaN(id) ? builder.strings.intern(unnamed) : strings.index(id)),
  });
}

/** Reads copies, named as in nsys's reports; if the file has no labels, by CUPTI's numbers. */
export function* readMemcpys(reader: NsysReader): Generator<number> {
  const labels = new Map(fallbackCopyLabels);
  if (reader.db.has('ENUM_CUDA_MEMCPY_OPER', 'id', 'label')) {
    for (const [id, label] of reader.db.rows<[number, unknown]>('select id, label from ENUM_CUDA_MEMCPY_OPER')) {
      if (typeof label === 'string') labels.set(id, label);
    }
  }
  const nameOf = namedOnce(reader, id => `[CUDA memcpy ${labels.get(Number.isNaN(id) ? 0 : id) ?? 'Unknown'}]`);
  yield* readGpuTable(reader, {
    table: gpuTable.memcpys,
    kind: kindIndex.gpu_memcpy,
    nameColumns: ['copyKind'],
    nameOf,
  });
}

export function* readMemsets(reader: NsysReader): Generator<number> {
  const nameOf = namedOnce(reader, () => '[CUDA memset]');
  yield* readGpuTable(reader, {table: gpuTable.memsets, kind: kindIndex.gpu_memset, nameColumns: [], nameOf});
}

export function* readGraphs(reader: NsysReader): Generator<number> {
  const nameOf = namedOnce(reader, id => (Number.isNaN(id) ? 'CUDA graph' : `CUDA graph ${String(id)}`));
  yield* readGpuTable(reader, {
    table: gpuTable.graphs,
    kind: kindIndex.graph,
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
  for (const {length, rowid, columns} of reader.source.read(table, requests)) {
    const {start, end, correlation, bytes} = columns;
    reader.see(table, start, end, length);
    const place = new StreamPlace(reader, columns);
    for (let i = 0; i < length; i++) {
      place.find(i);
      const id = orElse(columns.best[i], orElse(columns.second[i], columns.third[i]));
      const slice = reader.slice(place.track, start[i], end[i], nameOf(id), kind, rowid[i]);
      if (slice < 0) continue;
      const {process, device, streamId} = place;
      builder.addGpuOperation(slice, {
        process,
        device,
        stream: streamId,
        correlation: orAbsent(correlation[i]),
        bytes: orAbsent(bytes[i]),
      });
    }
    yield length;
  }
}

/**
 * Finds the stream of an operation. Most operations are on the same stream as the one before: a comparison saves the
 * lookup.
 */
class StreamPlace {
  track = -1;
  process = -1;
  device = -1;
  streamId = -1;
  #row = -1;

  constructor(
    readonly reader: NsysReader,
    readonly columns: Readonly<Record<'processKey' | 'ordinal' | 'context' | 'stream', Float64Array>>,
  ) {}

  find(row: number): void {
    const {processKey, ordinal, context, stream} = this.columns;
    const last = this.#row;
    const isSame = last >= 0 && stream[row] === stream[last] && context[row] === context[last];
    if (isSame && ordinal[row] === ordinal[last] && processKey[row] === processKey[last]) return;
    this.#row = row;
    this.#find(processKey[row], ordinal[row], context[row], stream[row]);
  }

  #find(processKey: number, ordinal: number, context: number, stream: number): void {
    const {tracks} = this.reader;
    const key = Number.isNaN(processKey) ? this.reader.onlyProcess : processKey;
    this.process = tracks.process(key);
    this.device = tracks.device(key, ordinal);
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

/** Returns the names by id, each built once. */
function namedOnce({builder}: NsysReader, nameOf: (id: number) => string): (id: number) => number {
  const names = new Map<number, number>();
  return id => getOrAdd(names, id, () => builder.strings.intern(nameOf(id)));
}

/** Returns `value`, or `otherwise` if the row has none. */
function orElse(value: number, otherwise: number): number {
  return Number.isNaN(value) ? otherwise : value;
}

/** Returns -1 for a value that is not a number. */
function orAbsent(value: number): number {
  return Number.isFinite(value) ? value : -1;
}

/** Labels of ENUM_CUDA_MEMCPY_OPER, for files without that table. */
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
