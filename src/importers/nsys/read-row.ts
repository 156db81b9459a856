import type {SliceArgument} from '../../core/queries/slice-details.js';
import type {SliceKind} from '../../core/trace/slices.js';
import type {FileHead} from '../importer.js';
import {NsysDatabase} from './nsys-database.js';

/** The table that slices of a kind are rows of. */
export const tableOfKind: Readonly<Partial<Record<SliceKind, string>>> = {
  kernel: 'CUPTI_ACTIVITY_KIND_KERNEL',
  gpu_memcpy: 'CUPTI_ACTIVITY_KIND_MEMCPY',
  gpu_memset: 'CUPTI_ACTIVITY_KIND_MEMSET',
  graph: 'CUPTI_ACTIVITY_KIND_GRAPH_TRACE',
  cuda_runtime: 'CUPTI_ACTIVITY_KIND_RUNTIME',
  cuda_driver: 'CUPTI_ACTIVITY_KIND_RUNTIME',
  nvtx_pushpop: 'NVTX_EVENTS',
  nvtx_startend: 'NVTX_EVENTS',
  osrt: 'OSRT_API',
  overhead: 'PROFILER_OVERHEAD',
};

/** Columns whose number names a text of `StringIds`. */
const isTextColumn = (column: string): boolean => /name(id)?$|^textid$/i.test(column);
const longestText = 2000;

/** The columns of a row but for its times, those that are empty left out; null where there is no such row. */
export function readRowArguments(file: FileHead, kind: SliceKind, rowid: number): SliceArgument[] | null {
  const table = tableOfKind[kind];
  const db = new NsysDatabase(file);
  try {
    if (table === undefined || !db.has(table)) return null;
    const row = db.row(`select * from ${table} where rowid = ?`, rowid);
    if (!row) return null;
    return Object.entries(row)
      .filter(([column, value]) => value !== null && column !== 'start' && column !== 'end')
      .map(([column, value]) => ({name: column, value: textOf(db, column, value).slice(0, longestText)}));
  } finally {
    db.close();
  }
}

function textOf(db: NsysDatabase, column: string, value: unknown): string {
  if (typeof value === 'bigint' && isTextColumn(column)) {
    const text = db.row('select value from StringIds where id = ?', value)?.['value'];
    if (typeof text === 'string') return text;
  }
  return value instanceof Uint8Array ? `${String(value.length)} bytes` : String(value);
}
