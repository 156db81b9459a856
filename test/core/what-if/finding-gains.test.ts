import {describe, expect, it} from 'vitest';
import {findingGains} from '../../../src/core/what-if/finding-gains.js';
import {GpuProgram} from '../../support/gpu-program.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

describe('findingGains(trace, findings)', () => {
  it('replays the whole profile with the change that mends a finding, up to what it can bring at most', async () => {
    const trace = await traceOfEvents(new GpuProgram().launches(10, {gpu: 4, cpu: 40}).events);
    // Nine calls of 38 µs lie between the first kernel and the last one; a tenth of each is left.
    const [free, bounded, other] = findingGains(trace, [
      {rule: 'idle/launch-bound', gainAtMostNs: null},
      {rule: 'idle/launch-bound', gainAtMostNs: 1000},
      {rule: 'doubt/uneven-steps', gainAtMostNs: 1000},
    ]);
    expect(free).toBeGreaterThan(9 * 38_000 * 0.9 - 1000);
    expect(free).toBeLessThan(9 * 38_000 * 0.9 + 1000);
    expect([bounded, other]).toEqual([1000, null]);
  });

  it('fuses elementwise kernels, and lets uneven ranks wait less', async () => {
    const program = new GpuProgram();
    // A chain of four kernels of 20 µs becomes one of 25.
    program.launches(4, {name: 'vectorized_elementwise_kernel', gpu: 20, cpu: 3});
    // Collectives of 10, 20, 30 and 40 µs take 20 at most: 30 less.
    for (const gpu of [10, 20, 30, 40]) program.launch({name: 'ncclDevKernel_AllReduce_Sum_f32_RING_LL', gpu, cpu: 3});
    const gains = findingGains(await traceOfEvents(program.events), [
      {rule: 'kernels/elementwise', gainAtMostNs: null},
      {rule: 'ranks/uneven', gainAtMostNs: null},
    ]);
    expect(gains).toEqual([55_000, 30_000]);
  });
});
