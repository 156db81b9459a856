import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {reportScope} from '../../../src/core/scope/report-scope.js';
import type {Selection} from '../../../src/core/scope/selection.js';
import {columnHeader} from '../../../src/core/reports/report.js';
import {noDetails} from '../../../src/core/figures/report-details.js';
import {wholeTrace} from '../../../src/core/scope/report-scope.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {reportOfTrace, textRows} from '../../support/make-report.js';
import {randomTrace} from '../../support/random-trace.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {traceFromText} from '../../support/trace-from-text.js';

/** The rows of a report of a selection. */
function rowsOf(trace: Trace, name: string, selection: Selection, details = noDetails): Record<string, string>[] {
  return textRows(reportOfTrace(trace, name, reportScope(trace, selection), details));
}

/** The sum of a column over the rows of a report of a selection. */
function sumOf(trace: Trace, name: string, header: string, selection: Selection): number {
  const {columns, rows} = reportOfTrace(trace, name, reportScope(trace, selection));
  const at = columns.findIndex(column => columnHeader(column) === header);
  let sum = 0;
  for (let row = 0; row < rows.length; row++) sum += Number(rows.cells(row)[at]);
  return sum;
}

/** Windows that cover a trace without overlap. */
function windows(trace: Trace, count: number): Selection[] {
  const at = (i: number) => Math.floor((i * (trace.spanNs + 1)) / count);
  return Array.from({length: count}, (_, i) => ({fromNs: at(i), toNs: at(i + 1)}));
}

const partitioned: readonly (readonly [report: string, header: string])[] = [
  ['cuda_gpu_kern_sum', 'Total Time (ns)'],
  ['cuda_gpu_sum', 'Total Time (ns)'],
  ['cuda_gpu_mem_time_sum', 'Total Time (ns)'],
  ['cuda_api_sum', 'Total Time (ns)'],
  ['cuda_api_gpu_sum', 'Total Time (ns)'],
  ['nvtx_sum', 'Total Time (ns)'],
  ['nvtx_kern_sum', 'Total Time (ns)'],
  ['kernel_class_sum', 'Total Time (ns)'],
  ['gpu_timeline', 'Busy (ns)'],
  ['gpu_timeline', 'Computation (ns)'],
  ['gpu_timeline', 'Exposed Memcpy (ns)'],
];

describe('reportScope(trace, selection)', () => {
  it('is the whole trace for an empty selection', () => {
    expect(reportScope(randomTrace(1), {})).toBe(wholeTrace);
  });

  it.each(partitioned)('of windows that cover a trace gives %s parts whose %s add up', (report, header) => {
    for (let seed = 1; seed <= 12; seed++) {
      const trace = randomTrace(seed);
      const parts = windows(trace, 1 + (seed % 5)).map(window => sumOf(trace, report, header, window));
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(sumOf(trace, report, header, {}));
    }
  });

  it('of a range makes the kernels of that range alone one call', () => {
    const trace = traceFromText(`
      range forward   =====     ==
      range loss            ==
      call             A B   C  D
      stream 7          AA BBB C DD
    `);
    expect(rowsOf(trace, 'cuda_gpu_kern_sum', {range: 'forward'}).map(row => row['Total Time (ns)'])).toEqual([
      '3000',
      '2000',
      '2000',
    ]);
    expect(rowsOf(trace, 'cuda_api_sum', {range: 'loss'}).map(row => row['Num Calls'])).toEqual(['1']);
    expect(rowsOf(trace, 'nvtx_gpu_proj_sum', {range: 'forward/1'}).map(row => row['Total Proj Time (ns)'])).toEqual([
      '2000',
    ]);
  });

  it('of a window lays kernels to ranges that ended before it', () => {
    const trace = traceFromText(`
      range forward   ===
      call             A
      stream 7             AAA
    `);
    expect(rowsOf(trace, 'nvtx_kern_sum', {fromNs: 5000}).map(row => [row['NVTX Range'], row['Avg (ns)']])).toEqual([
      ['forward', '3000.0'],
    ]);
    expect(rowsOf(trace, 'nvtx_sum', {fromNs: 5000})).toEqual([]);
  });

  it('of a device and a stream takes the operations there', () => {
    const trace = traceFromText(`
      call           AB C
      stream 0.7      AAA
      stream 0.8       BB
      stream 1.7         C
    `);
    expect(rowsOf(trace, 'gpu_timeline', {device: 0}).map(row => row['Busy (ns)'])).toEqual(['3000']);
    expect(rowsOf(trace, 'cuda_gpu_trace', {stream: 7}).length).toBe(2);
    expect(rowsOf(trace, 'cuda_kern_exec_sum', {device: 1}).length).toBe(1);
  });
});

describe.skipIf(!hasData)('reports of a range of a real profile', () => {
  it('have the kernels of its rows in nvtx_kern_sum', async () => {
    const path = join(dataFolder, 'nsys', 'power-iteration-t4.sqlite');
    const trace = await openTrace(path);
    const details = await loadReportDetails(path, trace, new Set(['ranges']));
    const all = rowsOf(trace, 'nvtx_kern_sum', {}, details).filter(row => row['NVTX Range'] !== 'None');
    const names = [...new Set(all.map(row => row['NVTX Range'] ?? ''))].filter(name => !name.includes('/'));
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      const [, domain = '', text = ''] = /^(?:(CCCL):)?(.*)$/.exec(name) ?? [];
      const ours = rowsOf(trace, 'cuda_gpu_kern_sum', {range: `${text}@${domain}`});
      const kernels = ours.map(row => [row['Name'], row['Instances'], row['Total Time (ns)'], row['Med (ns)']]);
      const ofRange = all.filter(row => row['NVTX Range'] === name);
      expect(kernels.sort()).toEqual(
        ofRange.map(row => [row['Kernel Name'], row['Kern Inst'], row['Total Time (ns)'], row['Med (ns)']]).sort(),
      );
    }
  });

  it('of steps are the rows of gpu_timeline_steps', async () => {
    const trace = await openTrace(join(dataFolder, 'kineto', 'resnet50-v100-2021.json.gz'));
    const rows = rowsOf(trace, 'gpu_timeline_steps', {});
    expect(rows.map(row => row['Step'])).toEqual(['5', '6', '7', '8', '9', '10']);
    for (const {Step, ...figures} of rows) {
      expect(rowsOf(trace, 'gpu_timeline', {step: Number(Step)})).toEqual([figures]);
    }
  });

  it('of every step add up to what was launched in steps', async () => {
    const trace = await openTrace(join(dataFolder, 'kineto', 'resnet50-v100-2021.json.gz'));
    const steps = [5, 6, 7, 8, 9, 10].map(step => sumOf(trace, 'cuda_gpu_sum', 'Total Time (ns)', {step}));
    expect(steps.reduce((sum, part) => sum + part, 0)).toBe(sumOf(trace, 'cuda_gpu_sum', 'Total Time (ns)', {}));
  });
});
