import {describe, expect, it} from 'vitest';
import {distinctGrids} from '../../../src/core/figures/distinct-grids.js';
import {StringTable} from '../../../src/core/table/string-table.js';
import {
  absentRows,
  gridSchema,
  noDetails,
  operationDetailsSchema,
  type ReportDetails,
} from '../../../src/core/figures/report-details.js';
import {wholeTrace} from '../../../src/core/scope/report-scope.js';
import {makeReports, parseReportRequest} from '../../../src/core/reports/reports.js';
import {seededRandom} from '../../support/random.js';
import {traceFromText} from '../../support/trace-from-text.js';
import {comparedWithUsualWork} from '../../support/usual-work.js';

const columns = ['gridX', 'gridY', 'gridZ', 'blockX', 'blockY', 'blockZ'] as const;

/** A table of the grids given, one an operation; null for what has none. */
function gridsOf(...rows: readonly (readonly number[] | null)[]) {
  const grids = absentRows(gridSchema, rows.length);
  rows.forEach((row, operation) => {
    columns.forEach((column, at) => (grids[column][operation] = row?.[at] ?? -1));
  });
  return grids;
}

describe('distinctGrids(grids)', () => {
  it('keeps each grid once, and says which each operation has', () => {
    const [a, b, far] = [
      [1, 2, 3, 4, 5, 6],
      [1, 2, 3, 4, 5, 7],
      [2 ** 31 - 1, 1, 1, 1024, 1, 1],
    ];
    const rows = [a, null, b, a, far, null, b];
    const {grids, gridOf} = distinctGrids(gridsOf(...rows));
    expect(grids?.length).toBe(4);
    rows.forEach((row, operation) => {
      expect(columns.map(column => grids?.[column][gridOf[operation] ?? -1])).toEqual(row ?? columns.map(() => -1));
    });
  });

  it('tells thousands of grids apart, whichever of their sizes differ', () => {
    const random = seededRandom(9);
    const rows = Array.from({length: 20_000}, () => columns.map(() => 1 + Math.floor(random() * 5)));
    const {grids, gridOf} = distinctGrids(gridsOf(...rows));
    expect(grids?.length).toBe(new Set(rows.map(String)).size);
    expect(grids?.length).toBeGreaterThan(5000);
    const read = Array.from(gridOf, grid => columns.map(column => grids?.[column][grid]));
    expect(read).toEqual(rows);
  });

  it.each([
    ['a block of 65 rows', [1, 1, 1, 1, 65, 1], [1, 1, 1, 1, 1, 2]],
    ['sizes that no file should have', [-7, 1, 1, 1, 1, 1], [-8, 1, 1, 1, 1, 1]],
  ])('tells %s apart from its like', (_, ...rows) => {
    const {grids, gridOf} = distinctGrids(gridsOf(...rows));
    expect([grids?.length, ...gridOf]).toEqual([2, 0, 1]);
  });

  it('takes no longer for grids that were chosen to take long', async () => {
    const count = 50_000;
    const chosen = gridsOf(...Array.from({length: count}, (_, i) => [1, 1, 1, 32, 64 * (count - i), i]));
    const {result, times} = await comparedWithUsualWork(() => distinctGrids(chosen));
    expect(times).toBeLessThan(10);
    const {grids, gridOf} = result;
    expect(grids?.length).toBe(count);
    expect(gridOf).toEqual(Int32Array.from(gridOf, (_, operation) => operation));
    expect([grids?.blockY.at(-1), grids?.blockZ.at(-1)]).toEqual([64, count - 1]);
  });

  it('may have no operations', () => {
    const {grids, gridOf} = distinctGrids(gridsOf());
    expect([grids?.length, gridOf.length]).toEqual([0, 0]);
  });
});

describe('reports with grids', () => {
  const trace = traceFromText(`
    call            A  B  C
    stream 7         A  BB CC
  `);
  const rows = [
    [8, 1, 1, 128, 1, 1],
    [8, 1, 1, 128, 1, 1],
    [9, 1, 1, 128, 1, 1],
  ];

  it.each(['cuda_gpu_kern_gb_sum', 'cuda_gpu_trace'])('%s has the same rows whether grids are shared or not', name => {
    const table = absentRows(operationDetailsSchema, rows.length);
    const operations = {table, strings: new StringTable()};
    const cellsOf = (details: Partial<ReportDetails>) => {
      const request = parseReportRequest(name);
      if (!request) throw new Error(name);
      const [report] = makeReports([request], {
        trace,
        details: {...noDetails, operations, ...details},
        scope: wholeTrace,
      });
      return Array.from({length: report?.rows.length ?? 0}, (_, row) => report?.rows.cells(row));
    };
    const own = cellsOf({grids: gridsOf(...rows)});
    expect(own).toHaveLength(3);
    expect(cellsOf(distinctGrids(gridsOf(...rows)))).toEqual(own);
    expect(own.flat()).toContain(name === 'cuda_gpu_trace' ? 9 : '   9    1    1');
  });
});
