import {expect, it} from 'vitest';
import {rankOverlap} from '../../../src/core/job/rank-overlap.js';
import {json} from '../../support/command-line.js';
import {itEachFile} from '../../support/each-file.js';
import {kineto} from '../../support/kineto-events.js';
import {dataFiles} from '../../support/real-data.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

/** An event on a GPU: a kernel of its stream, or what `sort` says. */
const onGpu = (name: string, device: number, stream: number, ts: number, dur: number, cat = 'kernel') => ({
  ...kineto.kernel(0, ts, dur, {device, stream}),
  ...{name, cat, pid: device, tid: stream},
});
const nccl = 'ncclDevKernel_AllReduce_Sum_bf16_RING_LL';

it('each moment of communication counts once, on each GPU, and only kernels compute', async () => {
  const trace = await traceOfEvents([
    // GPU 0 communicates from 10 to 40 and from 60 to 70, by two calls at once in between: 40 µs.
    onGpu(nccl, 0, 9, 10, 20),
    onGpu(nccl, 0, 10, 20, 20),
    onGpu(nccl, 0, 9, 60, 10),
    // It computes from 0 to 15 and from 35 to 65: 5 + 5 + 5 µs of that.
    onGpu('gemm', 0, 7, 0, 15),
    onGpu('gemm', 0, 7, 35, 30),
    onGpu('gemm', 0, 8, 36, 2),
    // A copy and a memset are no computation.
    onGpu('Memcpy DtoD (Device -> Device)', 0, 7, 20, 5, 'gpu_memcpy'),
    onGpu('Memset (Device)', 0, 7, 26, 5, 'gpu_memset'),
    // GPU 1 communicates for 8 µs; what GPU 0 computes meanwhile does not count.
    onGpu(nccl, 1, 9, 5, 8),
    onGpu('gemm', 1, 7, 11, 100),
  ]);
  expect(rankOverlap(trace, null)).toEqual({communicationNs: 48_000, overlapNs: 17_000});
  expect(rankOverlap(trace, new Set())).toBeNull();
});

it('a rank that does not communicate on a GPU has none', async () => {
  expect(rankOverlap(await traceOfEvents([onGpu('gemm', 0, 7, 0, 15)]), null)).toBeNull();
});

itEachFile(dataFiles('kineto', 'ddp-rank-0-of-128.json.gz'))(
  'of two public ranks is what HTA’s get_comm_comp_overlap says of all their steps: $name',
  ({path}) => {
    const {overlap} = json('job', path, path.replace('rank-0', 'rank-1')) as {
      overlap: {rank: number; communicationNs: number; overlapNs: number; overlapPercent: number}[];
    };
    // HTA at f4d0062, with include_last_profiler_step.
    expect(overlap.map(({rank, overlapPercent}) => [rank, overlapPercent.toFixed(2)])).toEqual([
      [0, '14.95'],
      [1, '19.93'],
    ]);
  },
);
