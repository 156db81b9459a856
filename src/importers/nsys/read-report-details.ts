import type {CallDetails, DetailKind, RangeDetails, ReportDetails} from '../../core/figures/report-details.js';
import {StringTable} from '../../core/table/string-table.js';
import {instantKindIndex} from '../../core/trace/instants.js';
import {apiCallKinds, kindIndex} from '../../core/trace/slices.js';
import type {Trace} from '../../core/trace/trace.js';
import type {FileHead} from '../reading/importer.js';
import {NotPlain} from '../sqlite/not-plain.js';
import {integer, type TableSource} from '../sqlite/table-source.js';
import {NsysDatabase} from './database/nsys-database.js';
import {processKeySql, threadIdSql} from './database/nsys-identity.js';
import {sourceOf} from './events/row-place.js';
import {apiCallTable} from './database/table-names.js';
import {openTableSource, type ReadingWay} from './open-table-source.js';
import {readMpiCollectives} from './read-mpi-collectives.js';
import {readOperationDetails} from './read-operation-details.js';
import {readUnifiedMemory} from './read-unified-memory.js';
import {readVulkanCalls} from './read-vulkan-calls.js';
import {rowsBySource} from './rows-by-source.js';

/**
 * Reads the additional data that reports need from an export: each relevant table once, directly from its pages if
 * possible.
 */
export function readNsysReportDetails(file: FileHead, trace: Trace, wanted: ReadonlySet<DetailKind>): ReportDetails {
  try {
    return readDetails(file, trace, wanted, 'pages');
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    return readDetails(file, trace, wanted, 'sql');
  }
}

/** The same, read in one of the two ways. @throws NotPlain if the pages do not suffice; never with `sql` */
export function readDetails(
  file: FileHead,
  trace: Trace,
  wanted: ReadonlySet<DetailKind>,
  way: ReadingWay,
): ReportDetails {
  const db = new NsysDatabase(file);
  const {source, close} = openTableSource(db, file, new StringTable(), way);
  try {
    return {
      ...readOperationDetails(db, source, trace, wanted),
      calls: wanted.has('calls') ? readCalls(db, source, trace) : null,
      ranges: wanted.has('ranges') ? readRanges(db, trace) : null,
      collectives: wanted.has('collectives') ? readMpiCollectives(db, trace) : null,
      addresses: wanted.has('addresses') ? readAddresses(db, trace) : null,
      shapes: null,
      unifiedMemory: wanted.has('unifiedMemory') ? readUnifiedMemory(db, trace) : null,
      vulkanCalls: wanted.has('vulkanCalls') ? readVulkanCalls(db, trace) : null,
    };
  } finally {
    close();
    db.close();
  }
}

function readCalls(db: NsysDatabase, source: TableSource, trace: Trace): CallDetails {
  const returnValue = new Float64Array(trace.apiCalls.length).fill(NaN);
  const hasValues = db.has(apiCallTable, 'returnValue');
  const [callOf = null] = hasValues ? rowsBySource(trace, trace.apiCalls.slice, [apiCallKinds]) : [];
  if (callOf) {
    for (const {length, rowid, columns} of source.read(apiCallTable, {returnValue: integer('returnValue')})) {
      for (let i = 0; i < length; i++) {
        const call = callOf(rowid[i]);
        if (call >= 0 && Number.isFinite(columns.returnValue[i])) returnValue[call] = columns.returnValue[i];
      }
    }
  }
  return {returnValue, threads: readThreads(db, trace)};
}

function readThreads(db: NsysDatabase, trace: Trace): CallDetails['threads'] {
  const threads = new Map<number, {name: string | null; priority: number | null}>();
  if (!db.has('ThreadNames', 'nameId', 'globalTid')) return threads;
  const tracks = tracksOfThreads(trace);
  const sql = `select ${threadKeySql}, (select value from StringIds where id = nameId),
    ${db.column('ThreadNames', 'priority', 'null')} from ThreadNames`;
  for (const [pid, tid, name, priority] of db.rows<[number, number, unknown, unknown]>(sql)) {
    const track = tracks.get(threadKey(pid, tid));
    if (track === undefined) continue;
    threads.set(track, {
      name: typeof name === 'string' ? name : null,
      priority: typeof priority === 'number' ? priority : null,
    });
  }
  return threads;
}

function readRanges(db: NsysDatabase, trace: Trace): RangeDetails | null {
  if (!db.has('NVTX_EVENTS', 'start', 'end', 'eventType', 'globalTid')) return null;
  const {slices} = trace;
  if (!hasSpecialRanges(trace)) return noSpecialRanges;
  const tracks = tracksOfThreads(trace);
  const rangeRows = new Map<number, number>();
  const sql = `select rowid, ${threadKeySql}, "end" is null,
    ${db.has('NVTX_EVENTS', 'endGlobalTid') ? 'endGlobalTid is not null and endGlobalTid <> globalTid' : '0'}
    from NVTX_EVENTS where eventType in (60, 71) or (eventType in (59, 70) and "end" is null)`;
  const found = [...db.rows<[number, number, number, number, number]>(sql)];
  if (found.length > 0) {
    for (let row = 0; row < slices.length; row++) {
      const kind = slices.kind[row];
      if (kind === kindIndex.nvtx_startend || kind === kindIndex.nvtx_pushpop) {
        rangeRows.set(slices.source[row] ?? -1, row);
      }
    }
  }
  const rows = found
    .map(([rowid, pid, tid, isOpen, isCross]) => ({slice: rangeRows.get(rowid) ?? -1, pid, tid, isOpen, isCross}))
    .filter(({slice}) => slice >= 0)
    .sort((a, b) => a.slice - b.slice);
  return {
    slice: Int32Array.from(rows, ({slice}) => slice),
    track: Int32Array.from(rows, ({pid, tid}) => tracks.get(threadKey(pid, tid)) ?? -1),
    thread: Float64Array.from(rows, ({tid}) => tid),
    isCrossThread: Uint8Array.from(rows, ({isCross}) => isCross),
    isOpen: Uint8Array.from(rows, ({isOpen}) => isOpen),
    lastNs: lastRangeEventNs(db) - Number(trace.originNs),
  };
}

const noSpecialRanges: RangeDetails = {
  slice: new Int32Array(),
  track: new Int32Array(),
  thread: new Float64Array(),
  isCrossThread: new Uint8Array(),
  isOpen: new Uint8Array(),
  lastNs: NaN,
};

/**
 * Returns whether any range ended on another thread than it began, or never ended: most exports have none, and many
 * rows.
 */
function hasSpecialRanges({slices, notes}: Trace): boolean {
  return notes.some(({code}) => code === 'ranges/open') || slices.kind.includes(kindIndex.nvtx_startend);
}

/**
 * Returns the last start or end in the table, including marks: nsys's reports end open ranges there. Rows whose times
 * are not valid in a recording do not count.
 */
function lastRangeEventNs(db: NsysDatabase): number {
  const last = 'coalesce("end", start)';
  const sql = `select max(${last}) from NVTX_EVENTS where typeof(start) = 'integer' and typeof(${last}) = 'integer'
    and ${last} between start and ${String(Number.MAX_SAFE_INTEGER)}`;
  for (const [ns] of db.rows<[unknown]>(sql)) if (typeof ns === 'number') return ns;
  return NaN;
}

function readAddresses(db: NsysDatabase, {instants}: Trace): Float64Array | null {
  const table = 'CUDA_GPU_MEMORY_USAGE_EVENTS';
  if (!db.has(table, 'address')) return null;
  const addresses = new Float64Array(instants.length).fill(NaN);
  const instantOf = new Map<number, number>();
  for (let instant = 0; instant < instants.length; instant++) {
    if (instants.kind[instant] === instantKindIndex.memory) instantOf.set(instants.source[instant] ?? -1, instant);
  }
  for (const [rowid, address] of db.rows<[number, unknown]>(`select rowid, address from ${table}`)) {
    const instant = instantOf.get(sourceOf(table, rowid));
    if (instant !== undefined && typeof address === 'number') addresses[instant] = address;
  }
  return addresses;
}

/** Process id (not the key, because `PROCESSES` and the tracks use its number) and thread id of `globalTid`. */
const threadKeySql = `(${processKeySql('globalTid')} & 0xFFFFFF), ${threadIdSql('globalTid')}`;

function threadKey(pid: number | string, tid: number): string {
  return `${String(pid)} ${String(tid)}`;
}

function tracksOfThreads({tracks, processes}: Trace): Map<string, number> {
  const byThread = new Map<string, number>();
  tracks.forEach(({kind, process, thread}, track) => {
    if (kind === 'thread') byThread.set(threadKey(processes[process]?.pid ?? '', thread), track);
  });
  return byThread;
}
