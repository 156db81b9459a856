import {getOrAdd} from '../../core/table/get-or-add.js';
import type {SliceKind} from '../../core/trace/slices.js';
import {integer} from '../sqlite/table-source.js';
import {processKeyOf, threadIdOf} from './nsys-identity.js';
import type {NsysReader} from './nsys-reader.js';
import {readGraphs, readKernels, readMemcpys, readMemsets} from './read-gpu-tables.js';
import {readNvtx} from './read-nvtx.js';

interface TableReader {
  readonly table: string;
  /** Yields the number of rows since it last yielded. */
  readonly read: (reader: NsysReader) => Generator<number>;
}

const runtimeTable = 'CUPTI_ACTIVITY_KIND_RUNTIME';

export const tableReaders: readonly TableReader[] = [
  {table: 'CUPTI_ACTIVITY_KIND_KERNEL', read: readKernels},
  {table: 'CUPTI_ACTIVITY_KIND_MEMCPY', read: readMemcpys},
  {table: 'CUPTI_ACTIVITY_KIND_MEMSET', read: readMemsets},
  {table: 'CUPTI_ACTIVITY_KIND_GRAPH_TRACE', read: readGraphs},
  {table: runtimeTable, read: readApiCalls},
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
  if (!reader.canRead(runtimeTable, 'start', 'end', 'globalTid', 'nameId')) return;
  const requests = {...threadColumns, correlation: integer('correlationId')};
  // Old schemas have no classes: there the name tells.
  const isDriverName = new Map<number, boolean>();
  for (const {length, rowid, columns} of reader.source.read(runtimeTable, requests)) {
    const {start, end, processKey, threadId, nameId, eventClass, correlation} = columns;
    reader.see(runtimeTable, start, end, length);
    for (let i = 0; i < length; i++) {
      const track = tracks.thread(processKey[i], threadId[i]);
      const id = nameId[i];
      const isDriver = Number.isNaN(eventClass[i])
        ? getOrAdd(isDriverName, id, () => /^cu[A-Z]/.test(strings.text(id)))
        : eventClass[i] === driverEventClass;
      const kind = isDriver ? 'cuda_driver' : 'cuda_runtime';
      const slice = reader.slice(track, start[i], end[i], strings.index(id), kind, rowid[i]);
      if (slice < 0) continue;
      builder.addApiCall(slice, tracks.process(processKey[i]), Number.isFinite(correlation[i]) ? correlation[i] : -1);
    }
    yield length;
  }
}

function* readThreadTable(reader: NsysReader, table: string, kind: SliceKind): Generator<number> {
  const {db, strings, tracks} = reader;
  if (!reader.canRead(table, 'start', 'end', 'globalTid', 'nameId')) return;
  // Of OS runtime only rows of one class are calls; others are markers without a duration.
  const onlyClass = kind === 'osrt' && db.has(table, 'eventClass') ? osRuntimeEventClass : null;
  const isOverhead = kind === 'overhead';
  const isFork = new Map<number, boolean>();
  for (const {length, rowid, columns} of reader.source.read(table, threadColumns)) {
    const {start, end, processKey, threadId, nameId, eventClass} = columns;
    reader.see(table, start, end, length);
    for (let i = 0; i < length; i++) {
      if (onlyClass !== null && eventClass[i] !== onlyClass) continue;
      const [key, tid] = [processKey[i], threadId[i]];
      const track = isOverhead ? tracks.overhead(key, tid) : tracks.thread(key, tid);
      reader.slice(track, start[i], end[i], strings.index(nameId[i]), kind, rowid[i]);
      if (kind === 'osrt' && getOrAdd(isFork, nameId[i], () => strings.text(nameId[i]) === 'fork')) reader.forks++;
    }
    yield length;
  }
}

/** ENUM_NSYS_EVENT_CLASS, which may be missing or empty. */
const driverEventClass = 1;
const osRuntimeEventClass = 27;
