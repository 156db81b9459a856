import {describe, expect, it} from 'vitest';
import {noDetails} from '../../../src/core/figures/report-details.js';
import {tableChart} from '../../../src/core/tabs/table-chart.js';
import {keptRows, readReport} from '../../../src/core/tabs/table-page.js';
import {tableReport, tableTabs} from '../../../src/core/tabs/table-tabs.js';
import {withTimeLimit} from '../../../src/engine/time-limit.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {traceOfEvents} from '../../support/trace-of-events.js';
import {trainingProgram} from '../../support/training-program.js';
import {hasSeeds, seedPath} from '../../support/seeds.js';

const columns = [
  {title: 'Total Time', unit: 'ns', definition: 'all of it'},
  {title: 'Grid', unit: 'none', isText: true, definition: ''},
  {title: 'Name', unit: 'none', isText: true, definition: ''},
] as const;

function chartOf(cells: readonly (readonly (string | number | null)[])[], column: number, text = '') {
  const rows = {length: cells.length, cells: (row: number) => [...(cells[row] ?? [])]};
  const read = readReport({name: 'a', title: 'A', columns, rows});
  return tableChart(read, keptRows(read, {text, isRegex: false, sort: []}, withTimeLimit), column);
}

describe('tableChart(read, kept, column)', () => {
  it('has the rows that are kept, in their order, with names, numbers and texts', () => {
    const cells = [
      [1200, '1 1 1', 'gemm'],
      [7, '2 1 1', 'relu'],
      [300, '', 'gemm'],
    ];
    expect(chartOf(cells, 0, 'gemm')).toEqual({
      header: 'Total Time (ns)',
      title: 'Total Time',
      definition: 'all of it',
      bars: [
        {name: 'gemm · 1 1 1', value: 1200, text: '1.20 µs'},
        {name: 'gemm', value: 300, text: '300 ns'},
      ],
      rowCount: 2,
    });
  });

  it('leaves out rows without a number, draws a hundred of more, and knows no other columns', () => {
    const many = Array.from({length: 150}, (_, at) => [at === 0 ? null : at, '', `k${String(at)}`]);
    const {bars, rowCount} = chartOf(many, 0);
    expect([bars.length, rowCount, bars[0]?.name]).toEqual([100, 149, 'k1']);
    expect(chartOf(many, 2)).toMatchObject({bars: [], rowCount: 0});
    expect(() => chartOf(many, 3)).toThrow(RangeError);
  });

  it.each([
    ['step-breakdown', 'Total'],
    ['gpu-timeline', 'Span'],
    ['gpu-timeline', 'Idle'],
  ])('stacks the columns of %s that add up to %s', async (tab, title) => {
    const trace = await traceOfEvents(trainingProgram().events);
    const read = readReport(tableReport(trace, tab, {}, noDetails));
    const at = read.report.columns.findIndex(column => column.title === title);
    const {bars} = tableChart(read, keptRows(read, {text: '', isRegex: false, sort: []}, withTimeLimit), at);
    expect(bars.length).toBeGreaterThan(0);
    for (const {value, parts = []} of bars) {
      expect(parts.length).toBe(read.report.columns[at]?.parts?.length);
      expect(parts.reduce((sum, part) => sum + part.value, 0)).toBeCloseTo(value, 6);
    }
  });

  it.skipIf(!hasSeeds)('charts what somebody kept: nsys’s times, and PyTorch’s with their units', async () => {
    const barsOf = async (seed: string, title: string, header: string) => {
      const trace = await openTrace(seedPath(seed));
      const tab = tableTabs(trace).find(found => found.title === title);
      const read = readReport(tableReport(trace, tab?.id ?? '', {}, noDetails));
      const at = read.report.columns.findIndex(column => column.title === header);
      return tableChart(read, keptRows(read, {text: '', isRegex: false, sort: []}, withTimeLimit), at).bars;
    };
    const kernels = await barsOf('003', 'cuda_gpu_kern_sum@2.7B_ctx512_forward', 'Total Time');
    expect(kernels.reduce((sum, {value}) => sum + value, 0)).toBe(3_408_519_665);
    const operators = await barsOf('000', 'key_averages#1', 'Self CPU');
    expect(operators).toHaveLength(25);
  });
});
