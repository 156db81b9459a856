import type {ReportInput} from '../figures/report-input.js';
import type {ReportColumn} from './report.js';

/** The share that a row has of all GPU work, whatever the other rows are. */
export const runShareColumn: ReportColumn = {
  title: 'Time',
  hasBar: true,
  unit: 'percent',
  decimals: 2,
  definition: 'share of the GPU work of the run, or of what is selected',
};

/** GPU work in scope, ns: what shares of the run are of. */
export function runGpuWorkNs({scope, tables: {operationNs}}: ReportInput): number {
  let allNs = 0;
  for (let operation = 0; operation < operationNs.length; operation++) {
    if (scope.operations?.[operation] !== 0) allNs += operationNs[operation];
  }
  return allNs;
}

/** `partNs` of `allNs` in percent; null of nothing. Small shares have two digits that are not zero. */
export function runShare(partNs: number, allNs: number): number | null {
  if (allNs === 0) return null;
  const percent = (100 * partNs) / allNs;
  return Number(percent >= 1 ? percent.toFixed(2) : percent.toPrecision(2));
}
