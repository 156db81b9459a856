import {describe, expect, it} from 'vitest';
import type {OperatorInputs} from '../../../src/core/figures/operator-inputs.js';
import {parseChange} from '../../../src/core/what-if/changes/parse-change.js';
import {whatIf} from '../../../src/core/what-if/what-if.js';
import {GpuProgram} from '../../support/gpu-program.js';
import {kineto} from '../../support/kineto-events.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

const a100 = {deviceProperties: [{id: 0, name: 'NVIDIA A100-SXM4-40GB'}]};

type Inputs = Readonly<Record<string, OperatorInputs | undefined>>;

/** Measured and predicted µs of a made program. @param inputs what operators of each name computed on */
async function predict(events: readonly object[], text: string, members: object = {}, inputs: Inputs = {}) {
  const change = parseChange(text);
  if (typeof change === 'string') throw new RangeError(change);
  const trace = await traceOfEvents(events, members);
  const shapes = new Map<number, OperatorInputs>();
  for (let row = 0; row < trace.slices.length; row++) {
    const own = inputs[trace.strings.get(trace.slices.name[row] ?? -1)];
    if (own) shapes.set(row, own);
  }
  const {measuredNs, predictedNs, intervalNs} = whatIf(trace, null, [change], shapes);
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

  it('faster: a wait that ends with its step, to the microsecond, is shorter by what the kernel is', async () => {
    const program = new GpuProgram();
    for (const step of [1, 2, 3]) {
      program.range(`ProfilerStep#${String(step)}`, own =>
        own.launch({name: add, gpu: 100}).launch({gpu: 300}).synchronise(),
      );
    }
    const {us, predictedUs} = await predict(program.events, `faster=${add}:2`);
    expect(us - predictedUs).toBe(50);
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

  it('at-roof: a kernel takes what its operator moves at the memory’s bandwidth, others stay', async () => {
    const program = new GpuProgram();
    for (const operator of ['aten::add', 'aten::add', 'mine::unheard']) {
      program.launch({name: add, gpu: 48, cpu: 3, operator});
    }
    // 3 × 4 bytes × 1,555,000 are 18.66 MB, which an A100 with 1,555 GB/s moves in 12 µs.
    const tensor = [1_555_000];
    const inputs = {'aten::add': {dims: [tensor, tensor], types: ['float', 'float'], values: ['', '']}};
    const asked = await predict(program.events, `at-roof=${add}`, a100, inputs);
    expect(asked).toMatchObject({us: 144, predictedUs: 12 + 12 + 48});
    // What a cache makes faster than the roof keeps its time; without shapes nothing is predicted.
    const fast = new GpuProgram().launches(2, {name: add, gpu: 10, cpu: 3, operator: 'aten::add'}).events;
    expect(await predict(fast, `at-roof=${add}`, a100, inputs)).toMatchObject({us: 20, predictedUs: 20});
    expect((await predict(program.events, `at-roof=${add}`, a100)).predictedUs).toBeNaN();
  });

  it('changes with a name: those of a range alone, with the backward pass of what it launched', async () => {
    const inside = new GpuProgram();
    const sgemm = {name: 'ampere_sgemm_128x64_tn', gpu: 800, cpu: 3};
    const forward = {'Sequence number': 7, 'Fwd thread id': 0};
    const backward = {'Sequence number': 7, 'Fwd thread id': 1};
    inside
      .range('block', own => own.launch({...sgemm, operator: 'aten::mm', args: forward}))
      .launch({...sgemm, operator: 'aten::mm'})
      .launch({...sgemm, operator: 'MmBackward0', args: backward});
    // The root of 312 / 19.5 is 4: the range's product and its backward one take 200 µs, the other one stays.
    expect(await predict(inside.events, 'precision=bf16:block', a100)).toMatchObject({us: 2400, predictedUs: 1200});
    expect((await predict(inside.events, 'precision=bf16:nowhere', a100)).predictedUs).toBeNaN();
    // Half of the range's product and of its backward one; at the most the backward one stays; a tenth of the 800 µs is doubt.
    const halved = await predict(inside.events, 'faster=block:2', a100);
    expect(halved).toMatchObject({us: 2400, predictedUs: 1600, intervalUs: [1600 - 80, 2000 + 80]});
    // What is not there has no backward pass: the other product is left, launched 2 µs behind the range.
    const removed = await predict(inside.events, 'faster=block:inf', a100);
    expect(removed).toMatchObject({predictedUs: 802, intervalUs: [802 - 159.8, 802 + 159.8]});

    const waits = new GpuProgram()
      .range('eval', own => own.launches(3, {gpu: 100}).synchronise())
      .python(50)
      .range('train', own => own.launch({gpu: 100}));
    expect(await predict(waits.events, 'remove-sync=eval')).toMatchObject({us: 457, predictedUs: 400});
    expect((await predict(waits.events, 'remove-sync=train')).predictedUs).toBeNaN();

    const attention = kernels(
      ...([
        ['gemm', 100],
        [add, 20],
        ['softmax_warp_forward', 40],
        ['gemm', 100],
      ] as const),
    );
    expect(await predict(attention, 'attention=fused:softmax_warp_forward')).toMatchObject({predictedUs: 206});
    expect((await predict(attention, `attention=fused:${add}`)).predictedUs).toBeNaN();
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
    const less = await predict(events, 'batch=0.25');
    expect(less).toMatchObject({us: 204, predictedUs: 25 + 2 + 25});
    // At the least and at the most, with a tenth of the change: large kernels × 0.25 and × (1 − 0.75 · 0.75).
    expect(less.intervalUs?.[0]).toBeCloseTo(25 + 2 + 25 - 15.2, 1);
    expect(less.intervalUs?.[1]).toBeCloseTo(43.75 + 2 + 43.75 + 15.2, 1);
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
