import {describe, expect, it} from 'vitest';
import {allRules} from '../../../src/core/findings/rules/all-rules.js';
import {madeCases} from '../../findings/made/all-made.js';
import {findingsIn} from '../../support/findings.js';
import {GpuProgram} from '../../support/gpu-program.js';
import {busy, findingsOf} from '../../support/made-findings.js';
import {kineto} from '../../support/kineto-events.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

const v100 = {deviceProperties: [{id: 0, name: 'Tesla V100-SXM2-16GB'}]};

interface Case {
  readonly rule: string;
  readonly fires: (program: GpuProgram) => void;
  readonly nearMiss: (program: GpuProgram) => void;
}

const cases: readonly Case[] = [
  {
    rule: 'idle/data-loader',
    fires: program => {
      for (let at = 0; at < 4; at++) {
        busy(program);
        program.range('enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', () => program.python(400));
      }
      busy(program);
    },
    // The loader takes as long, while the GPU is busy.
    nearMiss: program => {
      for (let at = 0; at < 4; at++) {
        program.launch({gpu: 1000});
        program.range('enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', () => program.python(400));
        program.python(594);
      }
    },
  },
  {
    rule: 'idle/synchronisation',
    fires: program => {
      for (let at = 0; at < 10; at++) program.launch({gpu: 100}).synchronise().python(10);
    },
    nearMiss: program => {
      program.launches(100, {gpu: 100}).synchronise();
    },
  },
  {
    rule: 'idle/allocation',
    fires: program => {
      for (let at = 0; at < 5; at++) busy(program).call('cudaMalloc', 200);
      busy(program);
    },
    nearMiss: program => {
      for (let at = 0; at < 5; at++) program.launch({gpu: 400}).call('cudaMalloc', 200).python(194);
    },
  },
  {
    rule: 'idle/launch-bound',
    fires: program => {
      program.launches(200, {gpu: 3, cpu: 10});
    },
    nearMiss: program => {
      program.launches(200, {gpu: 30, cpu: 10});
    },
  },
  {
    rule: 'communication/exposed',
    fires: program => {
      for (let at = 0; at < 5; at++) busy(program).launch({name: 'ncclDevKernel_AllReduce_Sum_f32_RING_LL', gpu: 300});
    },
    nearMiss: program => {
      for (let at = 0; at < 5; at++) busy(program).launch({name: 'ncclDevKernel_AllReduce_Sum_f32_RING_LL', gpu: 20});
    },
  },
  {
    rule: 'precision/fp32-products',
    fires: program => {
      program.launches(10, {name: 'ampere_sgemm_128x64_tn', gpu: 100});
    },
    nearMiss: program => {
      program.launches(10, {name: 'sm80_xmma_gemm_tf32f32_tf32f32_f32_tn_n_tilesize128x128x16', gpu: 100});
    },
  },
  {
    rule: 'attention/not-fused',
    fires: program => {
      for (let at = 0; at < 6; at++) {
        program
          .launch({operator: 'aten::bmm', gpu: 50})
          .launch({operator: 'aten::_softmax', name: 'softmax_warp_forward', gpu: 40});
      }
    },
    // The softmax of a loss stands alone.
    nearMiss: program => {
      program.launches(6, {operator: 'aten::addmm', gpu: 50});
      program.launches(6, {operator: 'aten::_log_softmax', name: 'softmax_warp_forward<LogSoftMax>', gpu: 40});
    },
  },
  {
    rule: 'precision/casts',
    fires: program => {
      for (let at = 0; at < 6; at++) program.launch({gpu: 100}).launch({operator: 'aten::_to_copy', gpu: 30});
    },
    nearMiss: program => {
      for (let at = 0; at < 6; at++) program.launch({gpu: 100}).launch({operator: 'aten::copy_', gpu: 30});
    },
  },
  {
    rule: 'kernels/elementwise',
    fires: program => {
      for (let at = 0; at < 120; at++)
        program.launch({gpu: 60}).launch({name: 'vectorized_elementwise_kernel', gpu: 40});
    },
    nearMiss: program => {
      for (let at = 0; at < 120; at++) program.launch({gpu: 60}).launch({name: 'triton_poi_fused_add_0', gpu: 40});
    },
  },
  {
    rule: 'optimizer/one-by-one',
    fires: program => {
      program.range('Optimizer.step#AdamW.step', () =>
        program.launches(250, {name: 'vectorized_elementwise_kernel', gpu: 5}),
      );
    },
    nearMiss: program => {
      program.range('Optimizer.step#AdamW.step', () =>
        program.launches(250, {name: 'multi_tensor_apply_kernel', gpu: 5}),
      );
    },
  },
  {
    rule: 'copies/pageable',
    fires: program => {
      for (let at = 0; at < 5; at++)
        busy(program).launch({name: 'Memcpy HtoD (Pageable -> Device)', gpu: 100, bytes: 1e6});
    },
    nearMiss: program => {
      for (let at = 0; at < 5; at++)
        busy(program).launch({name: 'Memcpy HtoD (Pinned -> Device)', gpu: 100, bytes: 1e6});
    },
  },
  {
    rule: 'copies/small',
    fires: program => {
      program.launches(250, {name: 'Memcpy DtoH (Device -> Pinned)', gpu: 2, bytes: 8});
    },
    nearMiss: program => {
      program.launches(250, {name: 'Memcpy DtoH (Device -> Pinned)', gpu: 2, bytes: 1e6});
    },
  },
  {
    rule: 'experts/one-by-one',
    fires: program => {
      for (let at = 0; at < 80; at++)
        program.range('expert 3', () => program.launch({name: 'ampere_bf16_s16816gemm', gpu: 20}));
    },
    nearMiss: program => {
      for (let at = 0; at < 80; at++)
        program.range('expert 3', () => program.launch({name: 'ampere_bf16_s16816gemm', gpu: 200}));
    },
  },
  {
    rule: 'doubt/warm-up-included',
    fires: program => {
      for (const us of [5000, 500, 500, 500, 500]) program.range('step', () => busy(program, us));
    },
    nearMiss: program => {
      for (const us of [1000, 500, 500, 500, 500]) program.range('step', () => busy(program, us));
    },
  },
  {
    rule: 'doubt/uneven-steps',
    fires: program => {
      for (const [at, us] of [500, 500, 900, 400, 700].entries())
        program.range(`ProfilerStep#${String(at)}`, () => busy(program, us));
    },
    nearMiss: program => {
      for (const [at, us] of [900, 500, 505, 495, 502].entries())
        program.range(`ProfilerStep#${String(at)}`, () => busy(program, us));
    },
  },
  {
    rule: 'doubt/calls-listed-twice',
    fires: program => {
      busy(program);
      const {now} = program;
      program.call('cudaMemcpy', 50);
      program.events.push({...call('cudaMemcpy_v3020', now + 5, 40)});
    },
    nearMiss: program => {
      busy(program);
      const {now} = program;
      program.call('cudaMemcpy', 50);
      program.events.push(call('cudaStreamSynchronize_v3020', now + 5, 40));
    },
  },
];

const call = (name: string, ts: number, dur: number) => ({
  ...{ph: 'X', cat: 'cuda_runtime', pid: 100, tid: 100, args: {correlation: 99_999}},
  ...{name, ts, dur},
});

describe.each(cases)('$rule', ({rule, fires, nearMiss}) => {
  it('is found, with numbers', async () => {
    const finding = (await findingsOf(fires)).find(found => found.rule === rule);
    expect(finding?.evidence.length).toBeGreaterThan(0);
    expect(finding?.title).not.toMatch(/null|NaN|undefined/);
  });

  it('is not found in what only looks like it', async () => {
    expect((await findingsOf(nearMiss)).map(found => found.rule)).not.toContain(rule);
  });
});

/** A second case of a rule, beside the first. */
const moreCases: readonly Case[] = [
  {
    rule: 'doubt/warm-up-included',
    fires: program => {
      for (const us of [5000, 5000, 500, 500, 500, 500, 500, 500]) program.range('step', () => busy(program, us));
    },
    // Every third is as long as the first, to the end: two kinds of call.
    nearMiss: program => {
      for (const us of [5000, 500, 500, 5000, 500, 500, 5000, 500, 500]) program.range('step', () => busy(program, us));
    },
  },
  {
    rule: 'doubt/warm-up-included',
    fires: program => {
      for (const us of [5000, 500, 500, 500]) program.range('step', () => busy(program, us));
      program.launch({gpu: 400_000});
    },
    // As long, but not even a hundredth of the profile.
    nearMiss: program => {
      for (const us of [5000, 500, 500, 500]) program.range('step', () => busy(program, us));
      program.launch({gpu: 600_000});
    },
  },
  {
    rule: 'precision/casts',
    // nsys has operators as ranges, with numbers behind their names.
    fires: program => {
      for (let at = 0; at < 6; at++) {
        program.launch({gpu: 100});
        program.range('aten::_to_copy, seq = 7, op_id = 9', () =>
          program.range('aten::copy_, seq = 8, op_id = 10', () => program.launch({gpu: 30})),
        );
      }
    },
    nearMiss: program => {
      for (let at = 0; at < 6; at++) {
        program.launch({gpu: 100});
        program.range('aten::copy_, seq = 8, op_id = 10', () => program.launch({gpu: 30}));
      }
    },
  },
  {
    rule: 'kernels/elementwise',
    fires: program => {
      for (let at = 0; at < 120; at++)
        program.launch({gpu: 60}).launch({name: 'unrolled_elementwise_kernel<direct_copy_kernel_cuda>', gpu: 40});
    },
    nearMiss: program => {
      for (let at = 0; at < 120; at++) program.launch({gpu: 60}).launch({name: 'CatArrayBatchedCopy', gpu: 40});
    },
  },
  {
    rule: 'optimizer/one-by-one',
    // PyTorch 1.8 wrote the step as an operator.
    fires: program => {
      const start = program.now;
      program.launches(250, {name: 'vectorized_elementwise_kernel', gpu: 5});
      program.events.push(kineto.op('Optimizer.step#SGD.step', start, program.now - start));
    },
    // As many are launched, most of them behind the step.
    nearMiss: program => {
      const start = program.now;
      program.launches(100, {name: 'vectorized_elementwise_kernel', gpu: 5});
      program.events.push(kineto.op('Optimizer.step#SGD.step', start, program.now - start));
      program.launches(150, {name: 'vectorized_elementwise_kernel', gpu: 5});
    },
  },
  {
    rule: 'idle/synchronisation',
    fires: program => {
      for (let at = 0; at < 10; at++) program.launch({gpu: 100}).synchronise('cudaDeviceSynchronize').python(20);
    },
    // Both kernels are in the queue while the thread waits: the second waits for something else.
    nearMiss: program => {
      for (let at = 0; at < 10; at++) {
        program.launch({gpu: 100}).stall(20).launch({gpu: 100}).synchronise('cudaDeviceSynchronize');
      }
    },
  },
];

describe.each(moreCases)('another case of $rule', ({rule, fires, nearMiss}) => {
  it('is found', async () => {
    expect((await findingsOf(fires)).map(found => found.rule)).toContain(rule);
  });

  it('is not found in what only looks like it', async () => {
    expect((await findingsOf(nearMiss)).map(found => found.rule)).not.toContain(rule);
  });
});

it('every rule has an example', () => {
  const tried = new Set([...cases, ...madeCases].map(({rule}) => rule));
  const untried = allRules.map(({id}) => id).filter(id => !tried.has(id));
  expect(untried).toEqual([]);
});

describe('what is found', () => {
  const slow = (scale: number) => (program: GpuProgram) => {
    for (let at = 0; at < 4; at++) {
      program.launch({name: 'volta_sgemm_64x64_nt', gpu: 1000 * scale, cpu: 10 * scale}).python(990 * scale);
      program.range('enumerate(DataLoader)#_Next', () => program.python(600 * scale));
    }
    program.launch({gpu: 1000 * scale, cpu: 10 * scale});
  };

  it('grows with the times of the profile: nothing of a certain one is written into a rule', async () => {
    const [once, thrice] = [await findingsOf(slow(1), v100), await findingsOf(slow(3), v100)];
    expect(once.map(({rule}) => rule)).toEqual(thrice.map(({rule}) => rule));
    expect(thrice.map(({gainAtMostNs}) => gainAtMostNs)).toEqual(
      once.map(({gainAtMostNs}) => (gainAtMostNs === null ? null : 3 * gainAtMostNs)),
    );
  });

  it('advises fp16 where a GPU has no TF32', async () => {
    const advice = async (members: object) =>
      (await findingsOf(slow(1), members)).find(({rule}) => rule === 'precision/fp32-products')?.advice;
    expect(await advice(v100)).toContain('fp16');
  });

  it('leaves products in fp32 alone where a GPU has no tensor cores', async () => {
    const pascal = {deviceProperties: [{id: 0, name: 'Tesla P100-PCIE-16GB'}]};
    const rules = (await findingsOf(slow(1), pascal)).map(({rule}) => rule);
    expect(rules).not.toContain('precision/fp32-products');
  });

  it('leads to the person’s own function around the calls', async () => {
    const program = new GpuProgram();
    for (let at = 0; at < 10; at++) {
      const start = program.now;
      program.launch({gpu: 100});
      const item = program.now;
      program.synchronise();
      program.events.push(
        ...[
          {
            ph: 'X',
            cat: 'python_function',
            name: 'train.py(40): step',
            pid: 100,
            tid: 100,
            ts: start,
            dur: program.now - start,
            args: {'Python id': 1},
          },
          {
            ph: 'X',
            cat: 'python_function',
            name: 'torch/_tensor.py(12): item',
            pid: 100,
            tid: 100,
            ts: item,
            dur: program.now - item,
            args: {'Python id': 2},
          },
          {ph: 'X', cat: 'cpu_op', name: 'aten::item', pid: 100, tid: 100, ts: item, dur: program.now - item},
        ],
      );
      program.python(10);
    }
    const found = (await findingsIn(await traceOfEvents(program.events))).find(
      ({rule}) => rule === 'idle/synchronisation',
    );
    expect(found).toMatchObject({file: 'train.py', line: 40});
  });
});
