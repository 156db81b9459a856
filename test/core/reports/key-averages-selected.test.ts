import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {reportScope} from '../../../src/core/scope/report-scope.js';
import type {Selection} from '../../../src/core/scope/selection.js';
import {keyAverages} from '../../../src/core/reports/key-averages.js';
import {noDetails} from '../../../src/core/figures/report-details.js';
import {reportInput} from '../../../src/core/figures/report-input.js';
import {reportsText} from '../../../src/core/reports/report-text.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {kineto} from '../../support/kineto-events.js';
import {traceOfEvents} from '../../support/trace-of-events.js';
import {reportOfTrace, textRows} from '../../support/make-report.js';
import {dataFolder, hasData} from '../../support/real-data.js';

it('key_averages of a device has the annotations of that device alone', async () => {
  const onDevice = (device: number) => [
    kineto.call(device + 1, 10 * device, 5),
    {...kineto.kernel(device + 1, 100, 20 + device, {device}), pid: device},
    {...kineto.range('step', 100, 30 + device), cat: 'gpu_user_annotation', pid: device, tid: 7},
  ];
  const trace = await traceOfEvents([kineto.range('step', 0, 90), ...onDevice(0), ...onDevice(1)]);
  const annotationsOf = (selection: Selection) =>
    keyAverages(reportInput({trace, details: noDetails, scope: reportScope(trace, selection)}))
      .filter(({isDevice, isAnnotation}) => isDevice && isAnnotation)
      .map(({name, count, selfDeviceNs}) => [name, count, selfDeviceNs]);
  expect(annotationsOf({})).toEqual([['step', 2, 61_000]]);
  expect(annotationsOf({device: 0})).toEqual([['step', 1, 30_000]]);
  expect(annotationsOf({device: 1})).toEqual([['step', 1, 31_000]]);
});

describe.skipIf(!hasData)('key_averages of a selection', () => {
  it('has the GPU time of the same selection in cuda_gpu_sum, and shares that are numbers', async () => {
    const trace = await openTrace(join(dataFolder, 'kineto', 'ns-resolution-rank0.json.gz'));
    const middleNs = Math.floor(trace.spanNs / 2);
    const selections: Selection[] = [
      {},
      {step: 102},
      {range: 'DistributedDataParallel.forward'},
      {fromNs: middleNs, toNs: Math.floor(1.1 * middleNs)},
      {device: 0},
      {stream: 7},
    ];
    for (const selection of selections) {
      const scope = reportScope(trace, selection);
      const rows = keyAverages(reportInput({trace, details: noDetails, scope}));
      const gpu = rows.filter(({isDevice, isAnnotation}) => isDevice && !isAnnotation);
      const sums = textRows(reportOfTrace(trace, 'cuda_gpu_sum', scope));
      const sumNs = sums.reduce((sum, row) => sum + Number(row['Total Time (ns)']), 0);
      expect(sumNs).toBeGreaterThan(0);
      expect([selection, gpu.reduce((sum, row) => sum + row.selfDeviceNs, 0)]).toEqual([selection, sumNs]);
      const text = [...reportsText([reportOfTrace(trace, 'key_averages', scope)], 'table')].join('');
      expect(text).toContain('Self CUDA time total');
      expect(text).not.toMatch(/NaN/);
    }
  });

  it('has no GPU columns where the selection has no GPU work', async () => {
    const trace = await openTrace(join(dataFolder, 'kineto', 'ns-resolution-rank0.json.gz'));
    const scope = reportScope(trace, {toNs: 1});
    const text = [...reportsText([reportOfTrace(trace, 'key_averages', scope)], 'table')].join('');
    expect(text).not.toMatch(/NaN|CUDA total/);
  });
});
