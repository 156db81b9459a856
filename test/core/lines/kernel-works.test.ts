import {join} from 'node:path';
import {expect, it} from 'vitest';
import {kernelWorks} from '../../../src/core/lines/kernel-works.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {kineto} from '../../support/kineto-events.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

it('kernelWorks(trace, names, of) sums what the operators of a kernel launched, in steps where there are any', async () => {
  const kernel = (id: number, atUs: number, durationUs: number) => [
    kineto.op('triton_poi_fused_add_0', atUs, 10),
    kineto.call(id, atUs + 1, 1),
    kineto.kernel(id, atUs + 20, durationUs),
  ];
  const events = [
    ...[kineto.range('ProfilerStep#1', 100, 100), kineto.range('ProfilerStep#2', 200, 100)],
    ...[...kernel(1, 110, 7), ...kernel(2, 210, 5), ...kernel(3, 400, 3)],
    ...[kineto.op('aten::mm', 130, 5), kineto.call(4, 131, 1), kineto.kernel(4, 160, 8)],
  ];
  const trace = await traceOfEvents(events);
  const names = ['triton_poi_fused_add_0', 'never', 'triton_poi_fused_add_0'];
  expect(kernelWorks(trace, names, 'steps')).toEqual({
    ...{steps: 2, allGpuWorkNs: 20_000},
    kernels: [
      {name: 'triton_poi_fused_add_0', count: 2, cpuWallNs: 20_000, gpuWorkNs: 12_000, operations: 2, launches: 2},
    ],
  });
  expect(kernelWorks(trace, names, 'profile')).toMatchObject({
    ...{steps: 0, allGpuWorkNs: 23_000},
    kernels: [{count: 3, gpuWorkNs: 15_000}],
  });
  // 4 of 7 µs of the first, 2 of 5 of the second, and 8 of the other operator.
  expect(kernelWorks(trace, names, {fromNs: 33_000, toNs: 132_000})).toMatchObject({
    ...{steps: 0, allGpuWorkNs: 14_000},
    kernels: [{gpuWorkNs: 6000, operations: 2}],
  });
});

it.skipIf(!hasData)('kernelWorks(trace, names, of) of a real trace has what its kernels took', async () => {
  const trace = await openTrace(join(dataFolder, 'kineto', 'torch-compile-triton-mi300.json.gz'));
  // By the file: one kernel of each name, all kernels together 12,549.021 µs.
  const workNs = {
    triton_red_fused_add_mean_mul_pow_rsqrt_0: 77_074,
    triton_poi_fused__unsafe_view_mul_silu_2: 527_382,
    triton_poi_fused__unsafe_view_add_3: 140_848,
  };
  const works = kernelWorks(trace, Object.keys(workNs), 'steps');
  expect(works).toMatchObject({steps: 0, allGpuWorkNs: 12_549_021});
  expect(Object.fromEntries(works.kernels.map(({name, gpuWorkNs}) => [name, gpuWorkNs]))).toEqual(workNs);
});
