import {describe, expect, it} from 'vitest';
import {rangeRows} from '../../../src/core/queries/ranges.js';
import type {RangeRow} from '../../../src/core/queries/ranges.js';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import type {SliceKind} from '../../../src/core/trace/slices.js';

interface Step {
  readonly thread: string;
  readonly kind: SliceKind;
  readonly name: string;
  readonly at: [from: number, to: number];
  readonly sequence?: number;
  readonly forwardThread?: number;
  /** Duration of the kernel that a call launches. */
  readonly kernelNs?: number;
}

/** Rows by name of a trace made of these steps; kernels follow each other on stream 7. */
function rowsOf(steps: readonly Step[]): Map<string, RangeRow> {
  const builder = new TraceBuilder();
  const process = builder.process('1');
  let gpuNs = 10_000;
  let correlation = 0;
  for (const {thread, kind, name, at, sequence = -1, forwardThread = -1, kernelNs} of steps) {
    const track = builder.track({kind: 'thread', process, device: -1, id: thread, name: thread, order: 10});
    const slice = builder.addSlice(track, at[0], at[1] - at[0], builder.strings.intern(name), kind, 0);
    if (kind === 'cpu_op') builder.addOperator(slice, -1, sequence, forwardThread);
    if (kernelNs === undefined) continue;
    builder.addApiCall(slice, process, ++correlation);
    const stream = builder.track({kind: 'stream', process, device: 0, id: '7', name: 'Stream 7', order: 1});
    const kernel = builder.addSlice(stream, gpuNs, kernelNs, builder.strings.intern('k'), 'kernel', 0);
    builder.addGpuOperation(kernel, process, 0, 7, correlation, -1, -1);
    gpuNs += kernelNs;
  }
  const trace = builder.finish({
    meta: {format: 'kineto', profiler: 'test', version: null, rank: null, worldSize: null},
    baseNs: 0n,
    counts: {kernels: 0, memcpys: 0, memsets: 0, apiCalls: 0, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0},
    notes: [],
  });
  return new Map(rangeRows(trace, 'name').map(row => [row.name, row]));
}

const launch = (thread: string, at: [number, number], kernelNs: number): Step => ({
  thread,
  kind: 'cuda_runtime',
  name: 'cudaLaunchKernel',
  at,
  kernelNs,
});
const forward: readonly Step[] = [
  {thread: 'main', kind: 'user_annotation', name: 'layer', at: [0, 100]},
  {thread: 'main', kind: 'user_annotation', name: 'linear', at: [10, 90]},
  {thread: 'main', kind: 'cpu_op', name: 'aten::linear', at: [20, 80], sequence: 5, forwardThread: 0},
  {thread: 'main', kind: 'cpu_op', name: 'aten::addmm', at: [30, 70], sequence: 5, forwardThread: 0},
  launch('main', [40, 50], 7),
];

describe('work that autograd launches', () => {
  it('goes to the ranges of the forward operator with its sequence number, apart from forward work', () => {
    const rows = rowsOf([
      ...forward,
      {thread: 'autograd', kind: 'cpu_op', name: 'AddmmBackward0', at: [200, 300], sequence: 5, forwardThread: 1},
      launch('autograd', [210, 220], 11),
    ]);
    expect(rows.get('linear')).toMatchObject({
      gpuWorkNs: 7,
      gpuSelfNs: 7,
      backwardGpuWorkNs: 11,
      backwardGpuSelfNs: 11,
    });
    expect(rows.get('layer')).toMatchObject({gpuWorkNs: 7, gpuSelfNs: 0, backwardGpuWorkNs: 11, backwardGpuSelfNs: 0});
    expect(rows.get('(backward, unmatched)')).toMatchObject({gpuSelfNs: 0});
  });

  it('goes to "(backward, unmatched)" where no forward operator has its number, or it has none', () => {
    const rows = rowsOf([
      ...forward,
      {thread: 'autograd', kind: 'cpu_op', name: 'MulBackward0', at: [200, 300], sequence: 99, forwardThread: 1},
      launch('autograd', [210, 220], 11),
      {thread: 'autograd', kind: 'cpu_op', name: 'torch::autograd::AccumulateGrad', at: [300, 400]},
      launch('autograd', [310, 320], 13),
      launch('autograd', [500, 510], 17),
    ]);
    expect(rows.get('(backward, unmatched)')).toMatchObject({gpuSelfNs: 41, ops: 3, launches: 3});
    expect(rows.get('layer')).toMatchObject({gpuWorkNs: 7, backwardGpuWorkNs: 0});
  });

  it('goes to a range that was opened inside the backward operator: recomputation, communication hooks', () => {
    const rows = rowsOf([
      ...forward,
      {thread: 'autograd', kind: 'cpu_op', name: 'CheckpointBackward', at: [200, 300], sequence: 5, forwardThread: 1},
      {thread: 'autograd', kind: 'user_annotation', name: 'nccl:all_reduce', at: [210, 290]},
      launch('autograd', [220, 230], 11),
    ]);
    expect(rows.get('nccl:all_reduce')).toMatchObject({gpuWorkNs: 11, gpuSelfNs: 11});
    expect(rows.get('layer')).toMatchObject({backwardGpuWorkNs: 0});
  });

  it('counts once for a range around both forward and backward on one thread: as backward', () => {
    const rows = rowsOf([
      {thread: 'main', kind: 'user_annotation', name: 'step', at: [0, 1000]},
      ...forward,
      {thread: 'main', kind: 'user_annotation', name: 'backward_pass', at: [150, 400]},
      {thread: 'main', kind: 'cpu_op', name: 'AddmmBackward0', at: [200, 300], sequence: 5, forwardThread: 1},
      launch('main', [210, 220], 11),
    ]);
    expect(rows.get('step')).toMatchObject({gpuWorkNs: 7, backwardGpuWorkNs: 11});
    expect(rows.get('linear')).toMatchObject({gpuSelfNs: 7, backwardGpuSelfNs: 11});
    expect(rows.get('backward_pass')).toMatchObject({gpuWorkNs: 11, gpuSelfNs: 0, backwardGpuWorkNs: 0});
  });

  it('for forward work outside any range is backward work outside any range', () => {
    const rows = rowsOf([
      {thread: 'main', kind: 'cpu_op', name: 'aten::mm', at: [0, 50], sequence: 3, forwardThread: 0},
      {thread: 'autograd', kind: 'cpu_op', name: 'MmBackward0', at: [200, 300], sequence: 3, forwardThread: 1},
      launch('autograd', [210, 220], 11),
    ]);
    expect(rows.get('(outside any range)')).toMatchObject({gpuSelfNs: 0, backwardGpuSelfNs: 11, backwardGpuWorkNs: 11});
  });
});
