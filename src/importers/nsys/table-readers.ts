import {getOrAdd} from '../../core/table/get-or-add.js';
import {kindIndex} from '../../core/trace/slices.js';
import {integer} from '../sqlite/table-source.js';
import {processKeyOf, threadIdOf} from './database/nsys-identity.js';
import type {NsysReader} from './database/nsys-reader.js';
import {readGraphs, readKernels, readMemcpys, readMemsets} from './read-gpu-tables.js';
import {readNvtx} from './read-nvtx.js';
import {apiCallTable, gpuTable} from './database/table-names.js';
import {ThreadOfRow} from './thread-of-row.js';

interface TableReader {
  readonly table: string;
  /** Yields the number of rows since it last yielded. */
  readonly read: (reader: NsysReader) => Generator<number>;
}

export const tableReaders: readonly TableReader[] = [
  {table: gpuTable.kernels, read: readKernels},
  {table: gpuTable.memcpys, read: readMemcpys},
  {table: gpuTable.memsets, read: readMemsets},
  {table: gpuTable.graphs, read: readGraphs},
  {table: apiCallTable, read: readApiCalls},
  {table: 'NVTX_EVENTS', read: readNvtx},
  {table: 'OSRT_API', read: reader => readThreadTable(reader, 'OSRT_API', 'osrt')},
  {table: 'PROFILER_OVERHEAD', read: reader => readThreadTable(reader, 'PROFILER_OVERHEAD', 'overhead')},
];

const threadColumns = {
  start: integer('start'),
  end: integer('end'),
  processKey: processKeyOf('globalTid'),
  threadId: threadIdOf('globalTid'),
  nameId: integer('nameId'),
  eventClass: integer('eventClass'),
};

function* readApiCalls(reader: NsysReader): Generator<number> {
  const {builder, strings, tracks} = reader;
  if (!reader.canRead(apiCallTable, 'start', 'end', 'globalTid', 'nameId')) return;
  const requests = {...threadColumns, correlation: integer('correlationId')};
  // Old schemas have no classes, so the name decides.
  const driverNames = new Map<number, boolean>();
  const isDriverName = (id: number) => getOrAdd(driverNames, id, () => /^cu[A-Z]/.test(strings.text(id)));
  for (const {length, rowid, columns} of reader.source.read(apiCallTable, requests)) {
    const {start, end, processKey, nameId, eventClass, correlation} = columns;
    reader.see(apiCallTable, start, end, length);
    const threads = new ThreadOfRow(tracks, columns);
    for (let i = 0; i < length; i++) {
      const track = threads.trackOf(i);
      const isDriver = Number.isNaN(eventClass[i]) ? isDriverName(nameId[i]) : eventClass[i] === driverEventClass;
      const kind = isDriver ? kindIndex.cuda_driver : kindIndex.cuda_runtime;
      const slice = reader.slice(track, start[i], end[i], strings.index(nameId[i]), kind, rowid[i]);
      if (slice < 0) continue;
      builder.addApiCall(slice, tracks.process(processKey[i]), Number.isFinite(correlation[i]) ? correlation[i] : -1);
    }
    yield length;
  }
}

function* readThreadTable(reader: NsysReader, table: string, kind: 'osrt' | 'overhead'): Generator<number> {
  const {db, strings, tracks} = reader;
  if (!reader.canRead(table, 'start', 'end', 'globalTid', 'nameId')) return;
  // In the OS runtime table, only rows of one class are calls; others are markers without a duration.
  const onlyClass = kind === 'osrt' && db.has(table, 'eventClass') ? osRuntimeEventClass : null;
  const isOverhead = kind === 'overhead';
  const forkNames = new Map<number, boolean>();
  const isFork = (id: number) => getOrAdd(forkNames, id, () => strings.text(id) === 'fork');
  for (const {length, rowid, columns} of reader.source.read(table, threadColumns)) {
    const {start, end, processKey, threadId, nameId, eventClass} = columns;
    reader.see(table, start, end, length);
    const threads = new ThreadOfRow(tracks, columns);
    for (let i = 0; i < length; i++) {
      if (onlyClass !== null && eventClass[i] !== onlyClass) continue;
      const track = isOverhead ? tracks.overhead(processKey[i], threadId[i]) : threads.trackOf(i);
      reader.slice(track, start[i], end[i], strings.index(nameId[i]), kindIndex[kind], rowid[i]);
      if (kind === 'osrt' && isFork(nameId[i])) reader.forks++;
    }
    yield length;
  }
}

/** ENUM_NSYS_EVENT_CLASS, which may be missing or empty. */
const driverEventClass = 1;
const osRuntimeEventClass = 27;
