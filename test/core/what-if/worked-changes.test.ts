import {describe, expect, it} from 'vitest';
import {parseChange} from '../../../src/core/what-if/changes/parse-change.js';
import {whatIf} from '../../../src/core/what-if/what-if.js';
import {GpuProgram} from '../../support/gpu-program.js';
import {kineto} from '../../support/kineto-events.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

const a100 = {deviceProperties: [{id: 0, name: 'NVIDIA A100-SXM4-40GB'}]};

/** Measured and predicted µs of a made program. */
async function predict(events: readonly object[], text: string, members: object = {}) {
  const change = parseChange(text);
  if (typeof change === 'string') throw new RangeError(change);
  const {measuredNs, predictedNs, intervalNs} = whatIf(await traceOfEvents(events, members), null, [change]);
  return {
    us: measuredNs / 1000,
    predictedUs: (predictedNs ?? NaN) / 1000,
    intervalUs: intervalNs?.map(ns => ns / 1000),
  };
}

/** Kernels one behind the other, all launched in the first microseconds: the window is the sum of their times. */
function kernels(...list: readonly (readonly [name: string, us: number])[]): readonly object[] {
  const program = new GpuProgram();
  for (const [name, gpu] of list) program.launch({name, gpu, cpu: 3});
  return program.events;
}

const add = 'vectorized_elementwise_kernel';
const reduce = 'ncclDevKernel_AllReduce_Sum_f32_RING_LL';

describe('changes, worked out by hand', () => {
  it('remove-sync: the CPU goes on while the GPU works', async () => {
    const program = new GpuProgram().launches(3, {gpu: 100}).synchronise().python(50).launch({gpu: 100});
    // 5 to 305 three kernels, 307 the wait returns, 357 the call begins, 362 to 462 the last kernel: 457 from 5.
    // Without the wait the call is done by 70, and the last kernel follows the third at once: 400.
    expect(await predict(program.events, 'remove-sync')).toMatchObject({us: 457, predictedUs: 400});
  });

  it('graph: calls cost nothing, and their kernels follow each other', async () => {
    const program = new GpuProgram().range('part', own => own.launches(10, {gpu: 4, cpu: 40}));
    // Nine times 40 µs between starts, and 4; then ten kernels of 4 µs with nine usual delays of 1 µs.
    expect(await predict(program.events, 'graph=part')).toMatchObject({us: 364, predictedUs: 49});
  });

  it('fuse: a chain of four takes 1.25 times the longest', async () => {
    const program = new GpuProgram().range('act', own => own.launches(4, {name: add, gpu: 20, cpu: 3}));
    expect(await predict(program.events, 'fuse=act')).toMatchObject({us: 80, predictedUs: 25});
  });

  it('attention: what lies between the products keeps a tenth', async () => {
    const events = kernels(['gemm', 100], [add, 20], ['softmax_warp_forward', 40], ['gemm', 100]);
    // 100 + (20 + 40) / 10 + 100; at the least 200, at the most 224, each ± a tenth of the 54 that are saved.
    expect(await predict(events, 'attention=fused')).toEqual({us: 260, predictedUs: 206, intervalUs: [194.6, 229.4]});
  });

  it('precision: products by the root of the ratio of the peaks', async () => {
    // An A100 has 19.5 TFLOP/s in fp32 and 312 in bf16: 16 times, of which the root is 4.
    const events = kernels(['ampere_sgemm_128x64_tn', 800], ['ampere_sgemm_128x64_tn', 800]);
    expect(await predict(events, 'precision=bf16', a100)).toMatchObject({us: 1600, predictedUs: 400});
  });

  it('gpu: elementwise kernels by the memory’s bandwidth', async () => {
    // 1,555 GB/s of an A100 with 40 GB, 3,350 GB/s of an H100 (SXM).
    const {us, predictedUs} = await predict(kernels([add, 335], [add, 335]), 'gpu=h100', a100);
    expect(us).toBe(670);
    expect(predictedUs).toBeCloseTo(2 * 155.5, 1);
  });

  it('batch: large kernels grow with it, those under 5 µs by its root', async () => {
    const events = kernels(['gemm', 100], ['gemm', 4], ['gemm', 100]);
    expect(await predict(events, 'batch=4')).toMatchObject({us: 204, predictedUs: 400 + 8 + 400});
  });

  it('bucket-size: half as many collectives save half of what each costs by itself', async () => {
    // The shortest one takes 60: 30 less for each.
    expect(await predict(kernels([reduce, 100], [reduce, 60]), 'bucket-size=2')).toMatchObject({
      us: 160,
      predictedUs: 100,
    });
  });

  it('balanced-ranks: collectives take what the shortest quarter takes', async () => {
    const events = kernels([reduce, 10], [reduce, 20], [reduce, 30], [reduce, 40]);
    expect(await predict(events, 'balanced-ranks')).toMatchObject({us: 100, predictedUs: 10 + 20 + 20 + 20});
  });

  it('overlap-communication: the next product begins beside the collective', async () => {
    const stream = (number: number) => ({device: 0, stream: number});
    const events = [
      kineto.call(1, 0, 2),
      {...kineto.call(2, 3, 1), name: 'cudaStreamWaitEvent'},
      kineto.call(3, 5, 2),
      {...kineto.call(4, 8, 1), name: 'cudaStreamWaitEvent'},
      kineto.call(5, 10, 2),
      kineto.kernel(1, 3, 100, stream(7)),
      {...kineto.kernel(3, 104, 100, stream(20)), name: reduce, tid: 20},
      kineto.kernel(5, 205, 100, stream(7)),
    ];
    // One behind the other with 1 µs between streams: 302. Side by side: 100, 1 and 100.
    expect(await predict(events, 'overlap-communication')).toMatchObject({us: 302, predictedUs: 201});
  });
});
