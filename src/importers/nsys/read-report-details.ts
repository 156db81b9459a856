import type {
  CallDetails,
  DetailKind,
  OperationDetails,
  RangeDetails,
  ReportDetails,
} from '../../core/stats/report-details.js';
import {operationDetailsSchema} from '../../core/stats/report-details.js';
import {StringTable} from '../../core/table/string-table.js';
import {TableBuilder} from '../../core/table/table.js';
import {instantKindIndex} from '../../core/trace/instants.js';
import {kindIndex, type SliceKind} from '../../core/trace/slices.js';
import type {Trace} from '../../core/trace/trace.js';
import type {FileHead} from '../importer.js';
import {readMemoryKinds} from './memory-kinds.js';
import {NsysDatabase} from './nsys-database.js';
import {processKeySql, threadIdSql} from './nsys-identity.js';
import {sourceOf} from './events/row-place.js';
import {tableOfKind} from './read-row.js';

/** Reads again from an export what reports need besides the trace: each table that matters once, in the order of rows. */
export function readNsysReportDetails(file: FileHead, trace: Trace, wanted: ReadonlySet<DetailKind>): ReportDetails {
  const db = new NsysDatabase(file);
  try {
    return {
      operations: wanted.has('operations') ? readOperations(db, trace) : null,
      calls: wanted.has('calls') ? readCalls(db, trace) : null,
      ranges: wanted.has('ranges') ? readRanges(db, trace) : null,
      collectives: null,
      addresses: wanted.has('addresses') ? readAddresses(db, trace) : null,
      shapes: null,
    };
  } finally {
    db.close();
  }
}

/** Columns of `operationDetailsSchema` by table and nsys's column; names are ids in `StringIds`. */
const numberColumns = {
  gridX: 'gridX',
  gridY: 'gridY',
  gridZ: 'gridZ',
  blockX: 'blockX',
  blockY: 'blockY',
  blockZ: 'blockZ',
  registers: 'registersPerThread',
  staticSharedBytes: 'staticSharedMemory',
  dynamicSharedBytes: 'dynamicSharedMemory',
  context: 'contextId',
} as const;

function readOperations(db: NsysDatabase, trace: Trace): OperationDetails {
  const {gpuOperations} = trace;
  const builder = new TableBuilder(operationDetailsSchema, gpuOperations.length);
  const names = Object.keys(operationDetailsSchema) as (keyof typeof operationDetailsSchema)[];
  while (builder.length < gpuOperations.length) builder.add();
  const {columns} = builder;
  for (const name of names) columns[name].fill(-1);
  const strings = new StringTable();
  const memoryKinds = new Map(Array.from(readMemoryKinds(db), ([kind, name]) => [kind, strings.intern(name)]));
  for (const kind of ['kernel', 'gpu_memcpy', 'gpu_memset', 'graph'] as const) readKind(kind);
  return {table: builder.finish(), strings};

  function readKind(kind: SliceKind): void {
    const table = tableOfKind[kind] ?? '';
    if (!db.has(table)) return;
    const numbers = Object.entries(numberColumns) as [keyof typeof numberColumns, string][];
    const isCopy = kind === 'gpu_memcpy';
    const sources = [
      ...numbers.map(([, column]) => db.column(table, column, '-1')),
      textColumn(db, table, 'shortName'),
      textColumn(db, table, 'mangledName'),
      db.column(table, isCopy ? 'srcKind' : 'memKind', 'null'),
      db.column(table, 'dstKind', 'null'),
    ];
    const texts = new Map<unknown, number>();
    const textIndex = (text: unknown): number => {
      let index = texts.get(text);
      if (index === undefined) texts.set(text, (index = typeof text === 'string' ? strings.intern(text) : -1));
      return index;
    };
    const operations = rowsBySource(trace, gpuOperations.slice, kind);
    const sql = `select rowid, ${sources.join()} from "${table}" order by rowid`;
    matchRows(trace, operations, gpuOperations.slice, db.rows<unknown[]>(sql), (operation, row) => {
      numbers.forEach(([name], i) => {
        const value = row[i + 1];
        if (typeof value === 'number') columns[name][operation] = value;
      });
      const [baseName, mangledName, source, target] = row.slice(numbers.length + 1);
      columns.baseName[operation] = textIndex(baseName);
      columns.mangledName[operation] = textIndex(mangledName);
      columns.sourceMemory[operation] = memoryKinds.get(source) ?? -1;
      columns.targetMemory[operation] = memoryKinds.get(target) ?? -1;
    });
  }
}

/** A column of ids as the texts that they stand for, or null where the table has no such column. */
function textColumn(db: NsysDatabase, table: string, column: string): string {
  return db.has(table, column) ? `(select value from StringIds where id = ${column})` : 'null';
}

function readCalls(db: NsysDatabase, trace: Trace): CallDetails {
  const returnValue = new Float64Array(trace.apiCalls.length).fill(NaN);
  const table = 'CUPTI_ACTIVITY_KIND_RUNTIME';
  if (db.has(table, 'returnValue')) {
    const calls = rowsBySource(trace, trace.apiCalls.slice, null);
    const sql = `select rowid, returnValue from ${table} order by rowid`;
    matchRows(trace, calls, trace.apiCalls.slice, db.rows<unknown[]>(sql), (call, [, value]) => {
      if (typeof value === 'number') returnValue[call] = value;
    });
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

/** The last start or end in the table, marks included: where nsys's reports end what never ended. */
function lastRangeEventNs(db: NsysDatabase): number {
  const sql = `select max(max(start), coalesce(max("end"), 0)) from NVTX_EVENTS`;
  for (const [last] of db.rows<[unknown]>(sql)) if (typeof last === 'number') return last;
  return 0;
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

/** Process id (not key: `PROCESSES` and the tracks know it by its number) and thread id of `globalTid`. */
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

/** Rows of a table whose slices are of a kind (null: all), by where they stand in the file. */
function rowsBySource({slices}: Trace, sliceOf: Int32Array, kind: SliceKind | null): Int32Array {
  const source = (row: number) => slices.source[sliceOf[row] ?? 0] ?? 0;
  return Int32Array.from(sliceOf.keys())
    .filter(row => kind === null || slices.kind[sliceOf[row] ?? 0] === kindIndex[kind])
    .sort((a, b) => source(a) - source(b));
}

/** Walks through two lists that ascend by row id, and calls `take` where they meet. */
function matchRows(
  {slices}: Trace,
  rows: Int32Array,
  sliceOf: Int32Array,
  found: Iterable<unknown[]>,
  take: (row: number, values: unknown[]) => void,
): void {
  let at = 0;
  for (const values of found) {
    const rowid = Number(values[0]);
    while (at < rows.length && sourceAt(at) < rowid) at++;
    if (at === rows.length) return;
    if (sourceAt(at) === rowid) take(rows[at] ?? 0, values);
  }

  function sourceAt(index: number): number {
    return slices.source[sliceOf[rows[index] ?? 0] ?? 0] ?? 0;
  }
}
