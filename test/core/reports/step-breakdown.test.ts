import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {reportScope} from '../../../src/core/scope/report-scope.js';
import type {Selection} from '../../../src/core/scope/selection.js';
import {columnHeader} from '../../../src/core/reports/report.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {reportOfFile, reportOfTrace, textRows} from '../../support/make-report.js';
import {temporaryFolder} from '../../support/project.js';
import {dataFolder, hasData} from '../../support/real-data.js';

const titles = ['Kernel', 'Memcpy', 'Memset', 'Communication', 'Runtime', 'DataLoader', 'CPU Exec', 'Other'] as const;
const columns = ['Total', ...titles].map(title => `${title} (ns)`);

async function breakdown(path: string): Promise<number[][]> {
  const report = await reportOfFile(path, 'step_breakdown');
  expect(report.columns.map(columnHeader)).toEqual(expect.arrayContaining(columns));
  return textRows(report).map(row => [Number(row['Step']), ...columns.map(column => Number(row[column]))]);
}

describe('step_breakdown', () => {
  const folder = temporaryFolder();

  it('gives each moment of a step to the first activity under way, GPU work past its end included', async () => {
    const path = join(folder, 'steps.json');
    writeFileSync(
      path,
      kinetoText([
        kineto.range('ProfilerStep#3', 0, 100),
        kineto.range('enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', 0, 20),
        kineto.op('aten::mm', 25, 35),
        kineto.call(1, 40, 10),
        kineto.kernel(1, 45, 30),
        kineto.call(2, 60, 5),
        {...kineto.kernel(2, 70, 50), name: 'ncclDevKernel_AllReduce'},
        kineto.range('ProfilerStep#4', 100, 40),
      ]),
    );
    // 45-75 kernel, 75-120 communication, 40-45 a call, 0-20 the loader, 25-40 the operator, 20-25 nothing.
    expect(await breakdown(path)).toEqual([
      [3, 120, 30, 0, 0, 45, 5, 20, 15, 5].map((us, at) => (at === 0 ? us : us * 1000)),
      [4, 20, 0, 0, 0, 0, 0, 0, 0, 20].map((us, at) => (at === 0 ? us : us * 1000)),
    ]);
  });

  it('adds up to the step, whatever overlaps', async () => {
    for (const [, total, ...shares] of await breakdown(join('media', 'sample', 'profile', 'train.pt.trace.json.gz'))) {
      expect(shares.reduce((sum, ns) => sum + ns, 0)).toBe(total);
    }
  });

  it.skipIf(!hasData)('has every figure of the TensorBoard plugin’s step overview', async () => {
    const [overview = ''] = readFileSync(
      join(dataFolder, 'kineto', 'expected', 'resnet50-v100-2021.tb-plugin.jsonl'),
      'utf8',
    ).split('\n');
    const {steps} = JSON.parse(overview) as {steps: {columns: {name?: string}[]; rows: (string | number)[][]}};
    const rows = await breakdown(join(dataFolder, 'kineto', 'resnet50-v100-2021.json.gz'));
    const expected = steps.rows.map(row => {
      const us = Object.fromEntries(steps.columns.flatMap(({name}, at) => (name ? [[name, row[at]]] : [])));
      const totalUs = Number(/Total: (\d+)us/.exec(String(row[2]))?.[1]);
      return [
        Number(us['Step']),
        ...[totalUs, ...titles.map(title => Number(us[title] ?? 0))].map(value => value * 1000),
      ];
    });
    expect(expected).toHaveLength(6);
    expect(rows).toEqual(expected);
  });

  it.skipIf(!hasData)('of windows side by side adds up, and is one row of a step', async () => {
    const trace = await openTrace(join(dataFolder, 'kineto', 'resnet50-v100-2021.json.gz'));
    const rowsOf = (selection: Selection) =>
      textRows(reportOfTrace(trace, 'step_breakdown', reportScope(trace, selection)));
    const whole = rowsOf({});
    const cuts = [0, 0.1, 0.37, 0.5, 0.93].map(part => Math.floor(part * trace.spanNs));
    const parts = cuts.flatMap((fromNs, at) => rowsOf({fromNs, toNs: cuts[at + 1] ?? trace.spanNs + 1}));
    const sums = (rows: readonly Record<string, string>[]) =>
      columns.map(column => rows.reduce((sum, row) => sum + Number(row[column]), 0));
    expect(parts.length).toBeGreaterThan(whole.length);
    expect(sums(parts)).toEqual(sums(whole));
    for (const row of whole) expect(rowsOf({step: Number(row['Step'])})).toEqual([row]);
  });

  it.skipIf(!hasData)('of streams has their operations in steps of the same length', async () => {
    const trace = await openTrace(join(dataFolder, 'kineto', 'diff-control.json.gz'));
    const rowsOf = (selection: Selection) =>
      textRows(reportOfTrace(trace, 'step_breakdown', reportScope(trace, selection)));
    const whole = rowsOf({});
    expect(whole.length).toBeGreaterThan(0);
    const streams = [...new Set(trace.gpuOperations.stream)];
    expect(streams.length).toBeGreaterThan(1);
    for (const stream of streams) {
      rowsOf({stream}).forEach((row, at) => {
        expect(row['Total (ns)']).toBe(whole[at]?.['Total (ns)']);
        const sum = titles.reduce((total, title) => total + Number(row[`${title} (ns)`]), 0);
        expect(sum).toBe(Number(row['Total (ns)']));
        expect(Number(row['Kernel (ns)'])).toBeLessThanOrEqual(Number(whole[at]?.['Kernel (ns)']));
      });
    }
    const kernels = streams.map(stream => rowsOf({stream}).reduce((sum, row) => sum + Number(row['Kernel (ns)']), 0));
    expect(Math.min(...kernels)).toBeLessThan(Math.max(...kernels));
    for (const row of rowsOf({stream: 99_999})) expect(row['Kernel (ns)']).toBe('0');
  });
});
