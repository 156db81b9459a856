import type {GpuProgram} from '../../support/gpu-program.js';
import {busy} from '../../support/made-findings.js';
import {casesOf, type MadeCase} from './made-case.js';

type Program = (program: GpuProgram) => void;

/** A call inside the previous call. */
const inside = (name: string, from: number, us: number, around: string): Program => {
  const args = {correlation: 99_999};
  return program => {
    busy(program);
    const {now} = program;
    program.call(around, 50);
    program.events.push({ph: 'X', cat: 'cuda_runtime', name, pid: 100, tid: 100, ts: now + from, dur: us, args});
  };
};

/** Instances of a range, µs each. */
const instances =
  (name: string, lengthsUs: readonly number[]): Program =>
  program => {
    for (const us of lengthsUs) program.range(name, () => busy(program, us));
  };

/** Waits for a batch before each step. */
const loading = (
  waitUs: number,
  stepUs: number,
  name = 'enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__',
): Program => {
  return program => {
    for (let at = 0; at < 5; at++) {
      program.range(name, () => program.python(waitUs));
      busy(program, stepUs).synchronise();
    }
  };
};

/** Layers of attention, each a product, a softmax and a product. */
const attention =
  (
    product: string,
    softmax: {readonly operator: string; readonly name: string; readonly gpu: number},
    layers = 6,
  ): Program =>
  program => {
    for (let at = 0; at < layers; at++) {
      program.launch({operator: product, gpu: 50}).launch(softmax).launch({operator: product, gpu: 50});
    }
  };
const softmax = {operator: 'aten::_softmax', name: 'softmax_warp_forward', gpu: 40};

const small =
  (count: number, bytes: number, name = 'Memcpy DtoH (Device -> Pinned)'): Program =>
  program =>
    program.launches(count, {name, gpu: 2, bytes});

const expert =
  (name: (at: number) => string, count: number, gpu: number): Program =>
  program => {
    for (let at = 0; at < count; at++) {
      program.range(name(at), () => program.launch({name: 'ampere_bf16_s16816gemm', gpu}));
    }
  };

/** A kernel with wrong times in the file. */
const wrong =
  (ts: number, dur: number): Program =>
  program => {
    program.launches(10, {gpu: 100});
    const args = {device: 0, stream: 7, correlation: 88_888};
    program.events.push(
      {
        cat: 'cuda_runtime',
        ph: 'X',
        name: 'cudaLaunchKernel',
        pid: 100,
        tid: 100,
        ts: 2000,
        dur: 4,
        args: {correlation: 88_888},
      },
      {cat: 'kernel', ph: 'X', name: 'gemm', pid: 0, tid: 7, ts, dur, args},
    );
    program.python(5000).launch({gpu: 100});
  };

/** Simulated programs for the rules with findings in only few public profiles. */
export const rareCases: readonly MadeCase[] = [
  ...casesOf(
    'doubt/impossible-times',
    {
      'a kernel before the call that launched it': wrong(1500, 50),
      'a kernel that lasts beyond the next ones of its stream': wrong(2010, 9000),
      'a kernel of a minute among kernels of 100 µs': wrong(2010, 60e6),
    },
    {'a kernel behind its call': wrong(2010, 100)},
  ),
  ...casesOf(
    'doubt/warm-up-included',
    {
      'the first step compiles': instances('train step', [9000, 500, 500, 500, 500]),
      'the first of ten is four times as long': instances('forward', [2000, ...Array<number>(9).fill(500)]),
      'steps of the profiler': program => {
        for (const [at, us] of [8000, 600, 620, 610, 590].entries()) {
          program.range(`ProfilerStep#${String(at)}`, () => busy(program, us));
        }
      },
    },
    {
      'a later one is long': instances('train step', [500, 500, 9000, 500, 500]),
      'two instances': instances('train step', [9000, 500]),
    },
  ),
  ...casesOf(
    'doubt/calls-listed-twice',
    {
      'a copy of the runtime in one of its version': inside('cudaMemcpy_v3020', 5, 40, 'cudaMemcpy'),
      'a launch': inside('cudaLaunchKernel_v7000', 1, 48, 'cudaLaunchKernel'),
      'a wait': inside('cudaDeviceSynchronize_v3020', 2, 45, 'cudaDeviceSynchronize'),
    },
    {'another call inside': inside('cudaStreamSynchronize_v3020', 5, 40, 'cudaMemcpy')},
  ),
  ...casesOf(
    'idle/data-loader',
    {
      'a third of the time': loading(500, 1000),
      'half of it, in one process': loading(1000, 1000, 'enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__'),
      'a tenth of it': loading(120, 1000),
    },
    {
      'batches are there at once': loading(2, 1000),
      'the GPU works meanwhile': program => {
        for (let at = 0; at < 5; at++) {
          program.launch({gpu: 1000});
          program.range('enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__', () => program.python(900));
        }
      },
    },
  ),
  ...casesOf(
    'attention/not-fused',
    {
      forward: attention('aten::bmm', softmax),
      'with a bias': attention('aten::baddbmm', softmax),
      backward: attention('aten::bmm', {...softmax, operator: 'aten::_softmax_backward_data'}),
    },
    {
      'the softmax of a loss': attention('aten::addmm', {...softmax, operator: 'aten::_log_softmax'}),
      'one router': attention('aten::bmm', softmax, 1),
    },
  ),
  ...casesOf(
    'copies/small',
    {
      'losses one by one': small(250, 4),
      'inputs in pieces': small(400, 4096, 'Memcpy HtoD (Pinned -> Device)'),
      'two thousand flags': small(2000, 1),
    },
    {
      'as many large ones': small(250, 1e6),
      'some small ones': small(50, 4),
      'inside the GPU': small(250, 4, 'Memcpy DtoD (Device -> Device)'),
    },
  ),
  ...casesOf(
    'experts/one-by-one',
    {
      'of one layer': expert(at => `experts.${String(at % 8)}`, 80, 20),
      'of 128 experts twice': expert(at => `moe/expert ${String(at % 128)}`, 256, 10),
      'by a function': expert(() => 'run_experts', 100, 30),
    },
    {
      'large products': expert(at => `expert ${String(at % 8)}`, 80, 200),
      'layers that are no experts': expert(at => `layer_${String(at % 8)}`, 80, 20),
      'few products': expert(at => `expert ${String(at % 8)}`, 16, 20),
    },
  ),
];
