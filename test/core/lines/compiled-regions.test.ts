import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {compiledCallTimings, compiledRegions} from '../../../src/core/lines/compiled-regions.js';
import {lineTimings} from '../../../src/core/lines/line-timings.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {project} from '../../support/project.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {kineto} from '../../support/kineto-events.js';
import {traceOfEvents} from '../../support/trace-of-events.js';
import {traceFromText} from '../../support/trace-from-text.js';

describe('compiledRegions(trace)', () => {
  it('is null without any', () => {
    expect(compiledRegions(traceFromText('op aten::mm         ==='))).toBeNull();
  });

  it('counts an operation once, and a frame once however often it was compiled', async () => {
    const trace = await traceOfEvents([
      kineto.op('Torch-Compiled Region: 0/0', 0, 20),
      kineto.op('Torch-Compiled Region: 0/1', 40, 60),
      kineto.op('Torch-Compiled Region: 1/0', 50, 30),
      ...[5, 45, 55, 120].flatMap((atUs, id) => [
        kineto.call(id + 1, atUs, 1),
        kineto.kernel(id + 1, 200 + 10 * id, 7),
      ]),
    ]);
    expect(compiledRegions(trace)).toMatchObject({frames: 2, timing: {count: 2, gpuWorkNs: 21_000, operations: 3}});
  });

  it('of a run that the runner recorded has the region, of which the tag inside has nothing', async () => {
    const trace = await openTrace(join(project, 'test', 'fixtures', 'compiled', 'train.pt.trace.json.gz'));
    const [inside, outside] = lineTimings(trace, [[['inside']], [['outside']]]);
    expect([inside?.nameCount, outside?.count]).toEqual([0, 3]);
    // The file has three regions of 27,049.849 µs in its three steps.
    expect(compiledRegions(trace)).toMatchObject({
      frames: 1,
      timing: {of: 'steps', steps: 3, count: 3, cpuWallNs: 27_049_849, isGpuProfile: false},
    });
  });

  it.skipIf(!hasData)('of a real model has the work of all that it launched', async () => {
    const trace = await openTrace(join(dataFolder, 'kineto', 'torch-compile-triton-mi300.json.gz'));
    // Twelve kernels of 12,549.021 µs, all launched inside the one region of 856.311 µs.
    expect(compiledRegions(trace)).toMatchObject({
      frames: 1,
      timing: {of: 'profile', count: 1, gpuWorkNs: 12_549_021, operations: 12, cpuWallNs: 856_311},
    });
  });
});

describe('compiledCallTimings(trace, calls, of)', () => {
  const regions = [
    kineto.op('Torch-Compiled Region: 0/0', 0, 20),
    kineto.op('Torch-Compiled Region: 1/0', 10, 5),
    kineto.op('Torch-Compiled Region: 2/0', 40, 20),
    kineto.op('Torch-Compiled Region: 0/1', 70, 20),
    kineto.op('Torch-Compiled Region: 2/0', 95, 3),
    ...[5, 12, 45, 72, 96].flatMap((atUs, id) => [
      kineto.call(id + 1, atUs, 1),
      kineto.kernel(id + 1, 200 + 10 * id, 2 ** id),
    ]),
  ];
  const calls = [['Torch-Compiled Region: 0/0', 'Torch-Compiled Region: 1/0'], ['Torch-Compiled Region: 2/0'], ['x']];

  it('has the regions of each call; one inside another counts in that one', async () => {
    const timings = compiledCallTimings(await traceOfEvents(regions), calls, 'profile');
    expect(timings.map(({count, gpuWorkNs, cpuWallNs, nameCount}) => [count, gpuWorkNs, cpuWallNs, nameCount])).toEqual(
      [
        [1, 3000, 20_000, 2],
        [2, 20_000, 23_000, 1],
        [0, 0, 0, 0],
      ],
    );
  });

  it('is of the steps where a call has a part in any, and of the whole where it is asked for', async () => {
    const trace = await traceOfEvents([...regions, kineto.range('ProfilerStep#3', 30, 35)]);
    const [outside, inside] = compiledCallTimings(trace, calls, 'steps');
    expect([outside, inside].map(timing => [timing?.of, timing?.steps, timing?.count, timing?.gpuWorkNs])).toEqual([
      ['profile', 0, 1, 3000],
      ['steps', 1, 1, 4000],
    ]);
    expect(compiledCallTimings(trace, calls, 'profile')[1]).toMatchObject({of: 'profile', gpuWorkNs: 20_000});
  });

  it('is of a window where one is asked for, also without a part in it', async () => {
    // From 204 to 222 µs: kernel 2 runs from 210 to 212, kernel 3 from 220 to 224.
    const window = {fromNs: 204_000, toNs: 222_000};
    const timings = compiledCallTimings(await traceOfEvents(regions), calls, window);
    expect(timings.map(({of, gpuWorkNs, nameCount}) => [of, gpuWorkNs, nameCount])).toEqual([
      [window, 2000, 2],
      [window, 2000, 1],
      [window, 0, 0],
    ]);
  });
});
