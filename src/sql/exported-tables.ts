import type {ReportDetails} from '../core/figures/report-details.js';
import type {KnownLine} from '../core/source/known-lines.js';
import type {Trace} from '../core/trace/trace.js';
import {sqlTables, type SqlTable} from './schema.js';
import {tableSources} from './tables/table-sources.js';
import type {SqlValue} from './tables/table-source.js';
import {Texts} from './texts.js';

/** A table of queries with its rows, as one function per column. */
export interface ExportedTable {
  readonly table: SqlTable;
  readonly length: number;
  readonly columns: readonly ((row: number) => SqlValue)[];
}

/**
 * Yields the tables of `gpu-lens query` one after the other, with the values that a query returns. The memory of a
 * table is free once the next one is requested.
 *
 * @param lines of the profile's sidecar
 * @param details that were read again from the file: `columnDetails`
 */
export function* exportedTables(
  trace: Trace,
  lines: readonly KnownLine[],
  details: ReportDetails,
): Generator<ExportedTable> {
  for (const table of sqlTables) {
    const texts = new Texts(trace.strings);
    const isKernels = table.name === 'kernels';
    const source = tableSources[isKernels ? 'gpu_operations' : table.name](trace, texts, {
      ...{lines, details, snapshot: null},
    });
    const rows = isKernels ? kernelRows(source.columns['kind'](), source.length) : null;
    const columns = table.columns.map(({name, type}) => {
      const value = source.columns[name]();
      const at = rows === null ? value : (row: number) => value(rows[row]);
      return type === 'name' ? (row: number) => texts.textOf(at(row)) : at;
    });
    yield {table, length: rows?.length ?? source.length, columns};
  }
}

function kernelRows(kind: (row: number) => SqlValue, length: number): Uint32Array {
  return Uint32Array.from({length}, (_, row) => row).filter(row => kind(row) === 'kernel');
}
