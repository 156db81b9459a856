import type {UnifiedMemoryEvent} from '../../core/figures/report-details.js';
import {instantKindIndex} from '../../core/trace/instants.js';
import {kindIndex} from '../../core/trace/slices.js';
import type {Trace} from '../../core/trace/trace.js';
import {sourceOf} from './events/row-place.js';
import type {NsysDatabase} from './database/nsys-database.js';
import {gpuTable} from './database/table-names.js';
import {slicesBySource} from './slices-by-source.js';

const cpuTable = 'CUDA_UM_CPU_PAGE_FAULT_EVENTS';
const gpuFaultTable = 'CUDA_UM_GPU_PAGE_FAULT_EVENTS';

/** ENUM_CUDA_MEMCPY_OPER: copies that move pages of unified memory between the host and a device. */
const sortOfCopy: ReadonlyMap<number, 'to-device' | 'to-host'> = new Map([
  [11, 'to-device'],
  [12, 'to-host'],
]);

/** Reads migrations and page faults of unified memory for the trace's events. */
export function readUnifiedMemory(db: NsysDatabase, trace: Trace): UnifiedMemoryEvent[] {
  return [...migrations(db, trace), ...cpuFaults(db, trace), ...gpuFaults(db, trace)];
}

function* migrations(db: NsysDatabase, trace: Trace): Generator<UnifiedMemoryEvent> {
  const table = gpuTable.memcpys;
  if (!db.has(table, 'copyKind', 'bytes')) return;
  const sliceOf = slicesBySource(trace, kindIndex.gpu_memcpy);
  const sql = `select rowid, copyKind, bytes, ${db.column(table, 'virtualAddress', 'null')} from ${table}
    where copyKind in (${[...sortOfCopy.keys()].join()})`;
  for (const [rowid, kind, bytes, address] of db.rows<[number, number, unknown, unknown]>(sql)) {
    const slice = sliceOf.get(rowid) ?? -1;
    const sort = sortOfCopy.get(kind);
    if (slice < 0 || !sort || typeof bytes !== 'number') continue;
    const durationNs = trace.slices.durationNs[slice] ?? 0;
    yield {slice, instant: -1, sort, address: numberOf(address), count: bytes, durationNs, instruction: null};
  }
}

function* cpuFaults(db: NsysDatabase, {instants}: Trace): Generator<UnifiedMemoryEvent> {
  if (!db.has(cpuTable)) return;
  const instantOf = new Map<number, number>();
  for (let row = 0; row < instants.length; row++) {
    if (instants.kind[row] === instantKindIndex.page_fault) instantOf.set(instants.source[row] ?? -1, row);
  }
  const instruction = db.has(cpuTable, 'CpuInstruction')
    ? '(select value from StringIds where id = CpuInstruction)'
    : 'null';
  const sql = `select rowid, ${db.column(cpuTable, 'address', 'null')}, ${instruction} from ${cpuTable}`;
  for (const [rowid, address, text] of db.rows<[number, unknown, unknown]>(sql)) {
    const instant = instantOf.get(sourceOf(cpuTable, rowid));
    if (instant === undefined) continue;
    const place = {slice: -1, instant, sort: 'cpu-fault', address: numberOf(address)} as const;
    yield {...place, count: 1, durationNs: 0, instruction: typeof text === 'string' ? text : null};
  }
}

function* gpuFaults(db: NsysDatabase, trace: Trace): Generator<UnifiedMemoryEvent> {
  if (!db.has(gpuFaultTable)) return;
  const sliceOf = slicesBySource(trace, kindIndex.page_fault);
  const columns = ['address', 'numberOfPageFaults'].map(name => db.column(gpuFaultTable, name, 'null'));
  const sql = `select rowid, ${columns.join()} from ${gpuFaultTable}`;
  for (const [rowid, address, faults] of db.rows<[number, unknown, unknown]>(sql)) {
    const slice = sliceOf.get(sourceOf(gpuFaultTable, rowid));
    if (slice === undefined) continue;
    const count = typeof faults === 'number' ? faults : 1;
    const place = {slice, instant: -1, sort: 'gpu-fault', address: numberOf(address)} as const;
    yield {...place, count, durationNs: 0, instruction: null};
  }
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : NaN;
}
