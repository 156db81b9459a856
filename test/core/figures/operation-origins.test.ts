import {describe, expect, it} from 'vitest';
import {isUserFrame, operationOrigins} from '../../../src/core/figures/operation-origins.js';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import type {SliceKind} from '../../../src/core/trace/slices.js';

describe('operationOrigins(trace)', () => {
  const builder = new TraceBuilder();
  const process = builder.process('1');
  const add = (thread: string, kind: SliceKind, name: string, from: number, to: number) => {
    const track = builder.track({kind: 'thread', process, device: -1, id: thread, name: thread, order: 10});
    return builder.addSlice({
      track,
      startNs: from,
      durationNs: to - from,
      name: builder.strings.intern(name),
      kind,
      source: 0,
    });
  };
  const launch = (thread: string, atNs: number, correlation: number) => {
    builder.addApiCall(add(thread, 'cuda_runtime', 'cudaLaunchKernel', atNs, atNs + 1), process, correlation);
    const stream = builder.track({kind: 'stream', process, device: 0, id: '7', name: 'Stream 7', order: 1});
    const kernel = builder.addSlice({
      track: stream,
      startNs: 1000 + 10 * correlation,
      durationNs: 5,
      name: builder.strings.intern('k'),
      kind: 'kernel',
      source: 0,
    });
    builder.addGpuOperation(kernel, {process, device: 0, stream: 7, correlation});
  };
  add('main', 'python_function', 'train.py(12): step', 0, 100);
  add('main', 'module', 'nn.Module: Linear_0', 10, 90);
  add('main', 'python_function', 'torch/nn/modules/linear.py(116): forward', 20, 80);
  add('main', 'python_function', '<built-in function linear>', 25, 75);
  builder.addOperator(add('main', 'cpu_op', 'aten::addmm', 30, 70), 1, 5, 0);
  launch('main', 40, 1);
  builder.addOperator(add('autograd', 'cpu_op', 'AddmmBackward0', 200, 300), 2, 5, 1);
  builder.addOperator(add('autograd', 'cpu_op', 'aten::mm', 210, 290), 3, -1, -1);
  launch('autograd', 220, 2);
  launch('other', 220, 3);
  const trace = builder.finish({
    meta: {format: 'kineto', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
    baseNs: 0n,
    counts: {kernels: 3, memcpys: 0, memsets: 0, apiCalls: 3, cpuOps: 3, ranges: 0, pythonFrames: 4, flows: 0},
    notes: [],
  });
  const origins = operationOrigins(trace);
  const nameOf = (slice = -1) => (slice < 0 ? null : trace.strings.get(trace.slices.name[slice] ?? 0));
  const of = (operation: number) => [
    nameOf(origins.operator[operation]),
    nameOf(origins.module[operation]),
    nameOf(origins.frame[operation]),
    origins.isOfForward[operation],
  ];

  it('is the innermost operator, module and frame of the user’s around the launching call', () => {
    expect(of(0)).toEqual(['aten::addmm', 'nn.Module: Linear_0', 'train.py(12): step', 0]);
  });

  it('is the module and frame of the forward operator where autograd launched', () => {
    expect(of(1)).toEqual(['aten::mm', 'nn.Module: Linear_0', 'train.py(12): step', 1]);
  });

  it('is absent where a thread runs nothing of PyTorch', () => {
    expect(of(2)).toEqual([null, null, null, 0]);
  });
});

it.each([
  ['train.py(12): step', true],
  ['model/layers.py(3): forward', true],
  ['/home/me/model/train.py(30): <module>', true],
  ['torch/nn/modules/module.py(1782): _call_impl', false],
  ['transformers/models/bert/modeling_bert.py(181): forward', false],
  ['/usr/lib/python3.11/site-packages/mine/a.py(1): f', false],
  ['/usr/lib/python3.11/runpy.py(86): _run_code', false],
  ['threading.py(975): run', false],
  ['<frozen runpy>(88): _run_code', false],
  ['<built-in method run_backward of torch._C._EngineBase object at 0x7f>', false],
  ['nn.Module: Linear_0', false],
])('isUserFrame(%s) is %s', (name, is) => {
  expect(isUserFrame(name)).toBe(is);
});
