import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {systemPreset} from '../../../src/core/estimate/system-presets.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import {pairError} from '../../../src/core/predicted-gpu/predict-gpu.js';
import {predictedStep} from '../../../src/core/predicted-gpu/predicted-step.js';
import {whatIf} from '../../../src/core/what-if/what-if.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {project} from '../../support/project.js';

const pathOf = (device: string) => join(project, 'test', 'fixtures', 'cpu-and-gpu', `${device}.pt.trace.json.gz`);
const msText = (ns: number) => `${(ns / 1e6).toPrecision(3)} ms`;

describe('a prediction from the CPU, beside the same program on a GPU', () => {
  it('is off by what docs/performance.md says', async () => {
    const gpu = await openTrace(pathOf('gpu'));
    const cpu = await openTrace(pathOf('cpu'));
    const {allShapes} = await loadReportDetails(pathOf('cpu'), cpu, new Set(['allShapes']));
    const preset = systemPreset('h200');
    if (!preset) throw new Error('There is no preset for the H200.');
    const predicted = predictedStep(cpu, allShapes ?? new Map(), preset, {step: null, automatic: []});
    // The first step is left out on both sides.
    const [second, third] = [2, 3].map(step => rangeRows(gpu, 'name', {selection: {step}}));
    const measured = (name: string, ns: 'gpuWorkNs' | 'gpuSelfNs') =>
      [second, third].reduce((sum, rows) => sum + (rows?.find(row => row.name === name)?.[ns] ?? NaN), 0) / 2;
    const workNs = [second, third].flatMap(rows => rows ?? []);
    const allNs = workNs.reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0) / 2;
    const forward = predicted.ranges.find(({name}) => name === 'forward');
    const rows = [
      ['GPU work', predicted.predictedGpuWorkNs, allNs],
      ['GPU work of the forward', forward?.predictedGpuWorkNs ?? NaN, measured('forward', 'gpuWorkNs')],
      ['the step, profiled', predicted.predictedNs ?? NaN, whatIf(gpu, null).measuredNs],
    ] as const;
    const told = rows.map(([name, likelyNs, ns]) => {
      const error = Math.round(100 * (likelyNs / ns - 1));
      return `| ${name} | ${msText(likelyNs)} | ${msText(ns)} | ${error < 0 ? '−' : '+'}${String(Math.abs(error))} % |`;
    });
    // What stands beside predictions.
    const [, , [, likelyNs, profiledNs]] = rows;
    expect(pairError).toBeCloseTo(likelyNs / profiledNs - 1, 2);
    const documented = readFileSync(join(project, 'docs', 'performance.md'), 'utf8').replaceAll(/ +/g, ' ');
    expect(told.filter(row => !documented.includes(row))).toEqual([]);
  });
});
