import {expect, it} from 'vitest';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';

it('TraceBuilder.device() keeps the last name that is given, which an empty one is not', () => {
  const builder = new TraceBuilder();
  builder.device(1);
  builder.device(0, 'NVIDIA A100');
  builder.device(0, 'NVIDIA H100');
  builder.device(0, '');
  builder.device(0);
  const {devices} = builder.finish({
    meta: {format: 'kineto', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
    baseNs: 0n,
    counts: {kernels: 0, memcpys: 0, memsets: 0, apiCalls: 0, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0},
    notes: [],
  });
  expect(devices).toEqual([
    {id: 0, name: 'NVIDIA H100'},
    {id: 1, name: null},
  ]);
});
