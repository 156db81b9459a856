import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {reportScope} from '../../../src/core/queries/report-scope.js';
import type {Selection} from '../../../src/core/queries/selection.js';
import {keyAverages} from '../../../src/core/stats/key-averages.js';
import {noDetails} from '../../../src/core/stats/report-details.js';
import {reportInput} from '../../../src/core/stats/report-input.js';
import {reportsText} from '../../../src/core/stats/report-text.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {reportOfTrace, textRows} from '../../support/make-report.js';
import {dataFolder, hasData} from '../../support/real-data.js';

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
