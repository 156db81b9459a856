import type {ReportInput} from '../figures/report-input.js';
import type {ReportColumn} from './report.js';

/** A row's share of all GPU work, whether or not the report shows all of it. */
export const runShareColumn: ReportColumn = {
  title: 'Time',
  hasBar: true,
  unit: 'percent',
  decimals: 2,
  definition: 'share of the GPU work of the run, or of what is selected',
};

/** Returns the GPU work in scope, ns: 100 % of the run. */
export function runGpuWorkNs({scope, tables: {operationNs}}: ReportInput): number {
  let allNs = 0;
  for (let operation = 0; operation < operationNs.length; operation++) {
    if (scope.operations?.[operation] !== 0) allNs += operationNs[operation];
  }
  return allNs;
}

/** Returns `partNs` in percent of `allNs`; null if there is none. Small shares have two significant digits. */
export function runShare(partNs: number, allNs: number): number | null {
  if (allNs === 0) return null;
  const percent = (100 * partNs) / allNs;
  return Number(percent >= 1 ? percent.toFixed(2) : percent.toPrecision(2));
}
