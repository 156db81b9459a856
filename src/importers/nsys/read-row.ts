import type {SliceArgument} from '../../core/questions/slice-details.js';
import type {InstantKind} from '../../core/trace/instants.js';
import type {SliceKind} from '../../core/trace/slices.js';
import type {FileHead} from '../reading/importer.js';
import {callChain} from './events/call-chain.js';
import {recordedEvent} from './events/recorded-event.js';
import {isNvtxColumn, nvtxArguments} from './events/nvtx-arguments.js';
import {rowAt} from './events/row-place.js';
import {NsysDatabase} from './database/nsys-database.js';
import {apiCallTable, gpuTable} from './database/table-names.js';

/** The tables of kinds that no other table shares. */
export const tableOfKind: Readonly<Partial<Record<SliceKind | InstantKind, string>>> = {
  kernel: gpuTable.kernels,
  gpu_memcpy: gpuTable.memcpys,
  gpu_memset: gpuTable.memsets,
  graph: gpuTable.graphs,
  cuda_runtime: apiCallTable,
  cuda_driver: apiCallTable,
  nvtx_pushpop: 'NVTX_EVENTS',
  nvtx_startend: 'NVTX_EVENTS',
  osrt: 'OSRT_API',
  overhead: 'PROFILER_OVERHEAD',
};

/** Columns whose number is the id of a text in `StringIds`. */
const isTextColumn = (column: string): boolean => /name(id)?$|^textid$|^(CpuInstruction|module)$/i.test(column);
const longestText = 2000;

/**
 * Returns the non-empty columns of a row except its times, and what they refer to: a call chain, NVTX's names and
 * payload. Null if there is no such row.
 */
export function readRowArguments(
  file: FileHead,
  kind: SliceKind | InstantKind,
  source: number,
): SliceArgument[] | null {
  const {table = tableOfKind[kind], rowid} = place(source);
  const db = new NsysDatabase(file);
  try {
    if (table === undefined || !db.has(table)) return null;
    // Selected by name: "*" would compute columns that are not stored, of any size.
    const stored = db.columns(table).map(column => `"${column.replaceAll('"', '""')}"`);
    const row = db.row(`select ${stored.join()} from ${table} where rowid = ?`, rowid);
    if (!row) return null;
    const isNvtx = table === 'NVTX_EVENTS';
    const columns = Object.entries(row)
      .filter(([column, value]) => value !== null && !timeColumns.has(column) && !(isNvtx && isNvtxColumn(column)))
      .map(([column, value]) => ({name: column, value: textOf(db, column, value)}));
    const chain = callChain(db, table, row);
    const recorded = recordedEvent(db, table, row);
    return [
      ...(isNvtx ? nvtxArguments(db, row) : []),
      ...recorded,
      ...columns,
      ...(chain.length > 0 ? [{name: 'call chain', value: chain.join(' ← ')}] : []),
    ].map(({name, value}) => ({name, value: value.slice(0, longestText)}));
  } finally {
    db.close();
  }
}

const timeColumns = new Set(['start', 'end', 'timestamp', 'rawTimestamp']);

function place(source: number): {readonly table?: string; readonly rowid: number} {
  const {table, rowid} = rowAt(source);
  return table === null ? {rowid} : {table, rowid};
}

function textOf(db: NsysDatabase, column: string, value: unknown): string {
  if (typeof value === 'bigint' && isTextColumn(column)) {
    const text = db.row('select value from StringIds where id = ?', value)?.['value'];
    if (typeof text === 'string') return text;
  }
  return value instanceof Uint8Array ? `${String(value.length)} bytes` : String(value);
}
