import type {ReportDetails} from '../core/figures/report-details.js';
import type {KnownLine} from '../core/source/known-lines.js';
import type {Trace} from '../core/trace/trace.js';
import {sqlTables, type SqlTable} from './schema.js';
import {tableSources} from './tables/table-sources.js';
import type {SqlValue} from './tables/table-source.js';
import {Texts} from './texts.js';

/** A table that queries see, with its rows: a function for each of its columns. */
export interface ExportedTable {
  readonly table: SqlTable;
  readonly length: number;
  readonly columns: readonly ((row: number) => SqlValue)[];
}

/**
 * Gives the tables of `gpu-lens query` one after the other, with the values that a query of the whole table has; what
 * one computes is free once the next is asked for.
 *
 * @param lines what was noted beside the profile
 * @param details what was read again from the file: `columnDetails`
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
