import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {lineDetails} from '../../../src/core/lines/line-details.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import {stepScope} from '../../../src/core/scope/step-scope.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {traceFromText} from '../../support/trace-from-text.js';

const trace = traceFromText(`
range step_1      =========
range step_2               =========
range layer        == ==   ======
call            A  B  C     D     E
stream 7         AA  BBBBCC  DDDD  EEEE
`);

describe('lineDetails(trace, patterns, of)', () => {
  it('has instances, kernels and steps of the ranges in the steps', () => {
    const details = lineDetails(trace, [['layer']], 'steps');
    expect(details.instanceWork).toEqual({leastNs: 2000, medianNs: 4000, mostNs: 4000});
    expect(details.instanceWall).toEqual({leastNs: 2000, medianNs: 2000, mostNs: 6000});
    expect(details.stepWorkNs).toEqual([6000, 4000]);
    expect(details.stepWallNs).toEqual([4000, 6000]);
    expect(details.kernels).toEqual([
      {name: 'kernel_B', workNs: 4000, count: 1},
      {name: 'kernel_D', workNs: 4000, count: 1},
      {name: 'kernel_C', workNs: 2000, count: 1},
    ]);
  });

  it('counts an operation once, however the ranges of a name nest', () => {
    const nested = traceFromText(`
      range layer_0    ==========
      range layer_1     =======
      call                 A
      stream 7              AAAA
    `);
    const {kernels, instanceWork} = lineDetails(nested, [['layer_', '']], 'steps');
    expect(kernels).toEqual([{name: 'kernel_A', workNs: 4000, count: 1}]);
    // Each of the two instances has it.
    expect(instanceWork).toEqual({leastNs: 4000, medianNs: 4000, mostNs: 4000});
  });

  it('has nothing to tell of a name that never ran', () => {
    const {instanceWork, kernels, timing} = lineDetails(trace, [['never']], 'steps');
    expect([instanceWork.leastNs, kernels, timing.nameCount]).toEqual([NaN, [], 0]);
  });
});

describe.skipIf(!hasData)('the details of a real line', () => {
  it('add up to the figures of gpu-lens ranges, by instance and by step', async () => {
    const real = await openTrace(join(dataFolder, 'kineto', 'train-resnet18-ddp-mi300.json.gz'));
    const names = rangeRows(real, 'name').filter(row => row.gpuWorkNs + row.backwardGpuWorkNs > 0 && row.count > 0);
    expect(names.length).toBeGreaterThan(0);
    for (const {name, gpuWorkNs, backwardGpuWorkNs} of names.slice(0, 12)) {
      const {instanceWork} = lineDetails(real, [[name]], 'profile');
      const works = rangeRows(real, 'instance')
        .filter(row => row.name === name)
        .map(row => row.gpuWorkNs + row.backwardGpuWorkNs)
        .sort((a, b) => a - b);
      expect([instanceWork.leastNs, instanceWork.mostNs]).toEqual([works[0], works.at(-1)]);
      const {stepWorkNs, timing} = lineDetails(real, [[name]], 'steps');
      if (timing.of === 'steps') {
        expect(stepWorkNs).toHaveLength(stepScope(real).numbers.length);
        const sum = stepWorkNs.reduce((total, ns) => total + ns, 0);
        expect(sum).toBe(timing.gpuWorkNs + timing.backwardGpuWorkNs);
      } else expect(timing.gpuWorkNs + timing.backwardGpuWorkNs).toBe(gpuWorkNs + backwardGpuWorkNs);
    }
  });
});
