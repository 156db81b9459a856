import {rowsOf, tablesOf, type PrintedTable} from './printed-tables.js';

/** A summary of kernels, with another table of the same run. */
export interface RunTables {
  readonly label: string;
  readonly kernels: PrintedTable;
  readonly other: PrintedTable;
}

/**
 * Returns tables of some reports, each with its run's summary of kernels. If runs have no names, there must be one of
 * each.
 */
export function pairedTables(tables: readonly PrintedTable[], reports: readonly string[]): RunTables[] {
  const kernels = tablesOf(tables, 'cuda_gpu_kern_sum');
  return tablesOf(tables, ...reports).flatMap(other => {
    const same = kernels.filter(({run}) => run === other.run);
    const others = tables.filter(({report, run}) => report === other.report && run === other.run);
    const one = same.at(0);
    return one && same.length === 1 && others.length === 1 ? [{label: other.label, kernels: one, other}] : [];
  });
}

/** The rows of a printed summary of kernels: `name`, `class`, `total`, `percent`, `n`. */
export const kernelRows = (table: PrintedTable): string =>
  rowsOf(table, {total: 'Total Time', percent: 'Time', n: 'Instances'});

/** The time of all kernels, ns; null if percentages show that rows were omitted. Rounding loses half a unit per row. */
export const allKernels = 'SELECT CASE WHEN sum(percent) >= 95 THEN CAST(sum(total) AS INTEGER) END FROM kernels';
