import {describe, expect, it} from 'vitest';
import {flameGraph} from '../../../src/core/questions/flame.js';
import {flameName} from '../../../src/core/flame/flame-graph.js';
import {gpuSummary} from '../../../src/core/questions/info.js';
import {processChoices} from '../../../src/core/scope/processes.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import type {Selection} from '../../../src/core/scope/selection.js';
import {tableReport} from '../../../src/core/tabs/table-tabs.js';
import {noDetails} from '../../../src/core/figures/report-details.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {sliceGroups} from '../../../src/core/layout/slice-groups.js';
import {kineto} from '../../support/kineto-events.js';
import {traceOfEvents} from '../../support/trace-of-events.js';
import {randomTrace} from '../../support/random-trace.js';
import {traceFromText} from '../../support/trace-from-text.js';

/** Two ranks on a GPU each: the second is a column later, and slower. */
const job = traceFromText(`
  process 22
  range step_1     ==========
  call              B
  stream 1.7          BBBBBB
  process 11
  range step_1    ==========
  range step_2              ======
  call             A         C
  stream 0.7        AAA       CC
`);

const shared = traceFromText(`
  process 1
  call            A
  stream 7         AA
  process 2
  call            B
  stream 7             BBB
`);

function workNs(trace: Trace, selection: Selection): number {
  return rangeRows(trace, 'name', {selection}).reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
}

describe('processChoices(trace)', () => {
  it('names processes with GPU work by their GPUs', () => {
    expect(processChoices(job)).toEqual([
      {pid: '11', text: 'Process 11 · GPU 0'},
      {pid: '22', text: 'Process 22 · GPU 1'},
    ]);
  });

  it('takes those with ranges where no GPU worked, and offers no choice of one', () => {
    const noGpu = traceFromText(`
      process 1
      range a         ==
      process 2
      range a         ==
      process 3
      call            A
    `);
    expect(processChoices(noGpu).map(({pid}) => pid)).toEqual(['1', '2']);
    expect(processChoices(traceFromText('range a         =='))).toEqual([]);
  });
});

describe('a selection of a process', () => {
  it('has its operations, ranges, and its own step of a number', () => {
    const names = (selection: Selection) =>
      rangeRows(job, 'name', {selection}).flatMap(row => (row.count ? row.name : []));
    expect(workNs(job, {process: '11'})).toBe(5000);
    expect(workNs(job, {process: '22'})).toBe(6000);
    expect(workNs(job, {process: '22', step: 1})).toBe(6000);
    expect(workNs(job, {process: '11', step: 1})).toBe(3000);
    expect(workNs(job, {step: 1})).toBe(9000);
    expect(workNs(job, {step: 2})).toBe(2000);
    expect(names({step: 1})).toEqual(['step_1']);
    expect(names({process: '22'})).toEqual(['step_1']);
    expect(names({process: '11'})).toEqual(['step_1', 'step_2']);
  });

  it.each([{process: '3'}, {process: '22', step: 2}])('says so where there is no such: %j', selection => {
    expect(() => workNs(job, selection)).toThrow(expect.objectContaining({code: 'selection/no-match'}));
  });

  it('adds up over the processes to the whole, in the flame graph, the ranges and the tables', () => {
    for (let seed = 0; seed < 30; seed++) {
      const trace = randomTrace(seed);
      const whole = gpuSummary(trace).workNs;
      const of = (sum: (process: string) => number) => processChoices(trace).reduce((all, {pid}) => all + sum(pid), 0);
      expect(of(process => workNs(trace, {process}))).toBe(whole);
      expect(of(process => flameGraph(trace, {weight: 'gpu-work', selection: {process}}).total)).toBe(whole);
      const kernels = (process: string) => tableReport(trace, 'kernels', {process}, noDetails);
      expect(of(process => Number(kernels(process).rows.cells(0)[1]))).toBe(whole);
    }
  });

  it('shows idle time of GPUs that no other process uses', () => {
    const busy = (trace: Trace, process: string) => flameGraph(trace, {weight: 'gpu-busy', selection: {process}});
    expect(flameName(busy(job, '11'), 0)).toBe('GPU busy and idle · process 11');
    expect(busy(job, '11').total).toBe(12_000);
    expect(flameName(busy(shared, '1'), 0)).toBe('GPU busy · process 1');
  });
});

it('processChoices(trace) offers none where a trace of GPU work names no process', async () => {
  const trace = await traceOfEvents([kineto.kernel(1, 0, 5), {...kineto.kernel(2, 10, 5), pid: 1}]);
  expect(processChoices({...trace, processes: []})).toEqual([]);
  const groups = sliceGroups({...trace, processes: []}, 'rank');
  expect([...groups.of].map(groups.nameOf)).toEqual(['', '']);
});
