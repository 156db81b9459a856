import {describe, expect, it} from 'vitest';
import {callLines} from '../../../src/core/lines/call-lines.js';
import {lineTimings} from '../../../src/core/lines/line-timings.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import type {RangeQuery, RangeRow} from '../../../src/core/figures/range-rows.js';
import {sliceContext} from '../../../src/core/questions/slice-context.js';
import {flameGraph} from '../../../src/core/questions/flame.js';
import {unmatchedBackwardWork} from '../../../src/core/figures/backward-unmatched.js';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import {taggedRangeKinds, type SliceKind} from '../../../src/core/trace/slices.js';
import type {Trace} from '../../../src/core/trace/trace.js';

interface Step {
  readonly thread: string;
  readonly kind: SliceKind;
  readonly name: string;
  readonly at: [from: number, to: number];
  readonly sequence?: number;
  readonly forwardThread?: number;
  /** Duration of the kernel that a call launches. */
  readonly kernelNs?: number;
  /** What that is called and is. */
  readonly kernel?: {readonly name: string; readonly kind: SliceKind};
}

/** Rows by name of a trace made of these steps. */
function rowsOf(steps: readonly Step[], query: RangeQuery = {}): Map<string, RangeRow> {
  return new Map(rangeRows(traceOf(steps), 'name', query).map(row => [row.name, row]));
}

/** A trace made of these steps; kernels follow each other on stream 7. */
function traceOf(steps: readonly Step[]): Trace {
  const builder = new TraceBuilder();
  const process = builder.process('1');
  let gpuNs = 10_000;
  let correlation = 0;
  for (const step of steps) {
    const {thread, kind, name, at, sequence = -1, forwardThread = -1, kernelNs} = step;
    const launched = step.kernel ?? {name: 'k', kind: 'kernel' as const};
    const track = builder.track({kind: 'thread', process, device: -1, id: thread, name: thread, order: 10});
    const slice = builder.addSlice({
      track,
      startNs: at[0],
      durationNs: at[1] - at[0],
      name: builder.strings.intern(name),
      kind,
      source: 0,
    });
    if (kind === 'cpu_op') builder.addOperator(slice, -1, sequence, forwardThread);
    if (kernelNs === undefined) continue;
    builder.addApiCall(slice, process, ++correlation);
    const stream = builder.track({kind: 'stream', process, device: 0, id: '7', name: 'Stream 7', order: 1});
    const kernel = builder.addSlice({
      track: stream,
      startNs: gpuNs,
      durationNs: kernelNs,
      name: builder.strings.intern(launched.name),
      kind: launched.kind,
      source: 0,
    });
    builder.addGpuOperation(kernel, {process, device: 0, stream: 7, correlation});
    gpuNs += kernelNs;
  }
  return builder.finish({
    meta: {format: 'kineto', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
    baseNs: 0n,
    counts: {kernels: 0, memcpys: 0, memsets: 0, apiCalls: 0, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0},
    notes: [],
  });
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

  it('counts among the operations and launches of the line that opened the range', () => {
    const trace = traceOf([
      ...forward,
      {thread: 'autograd', kind: 'cpu_op', name: 'AddmmBackward0', at: [200, 300], sequence: 5, forwardThread: 1},
      launch('autograd', [210, 220], 11),
      launch('autograd', [230, 240], 13),
    ]);
    const [line] = lineTimings(trace, [[['linear']]]);
    expect(line).toMatchObject({gpuWorkNs: 7, backwardGpuWorkNs: 24, operations: 3, launches: 3});
  });

  it('counts among the operations and launches of a line of the line pass', () => {
    const trace = traceOf([
      {thread: 'main', kind: 'cpu_op', name: 'model.py:3', at: [0, 100]},
      ...forward,
      {thread: 'autograd', kind: 'cpu_op', name: 'AddmmBackward0', at: [200, 300], sequence: 5, forwardThread: 1},
      launch('autograd', [210, 220], 11),
      launch('autograd', [230, 240], 13),
    ]);
    const figures = callLines(trace, 'profile').map(({file, line, timing}) => ({file, line, ...timing}));
    const works = {gpuWorkNs: 7, backwardGpuWorkNs: 24, operations: 3, launches: 3};
    expect(figures).toMatchObject([{file: 'model.py', line: 3, ...works}]);
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

  it('is no backward work of a recomputed range in the details of its operation', () => {
    const trace = traceOf([
      ...forward,
      {thread: 'autograd', kind: 'cpu_op', name: 'CheckpointBackward', at: [200, 300], sequence: 5, forwardThread: 1},
      {thread: 'autograd', kind: 'user_annotation', name: 'layer again', at: [205, 295]},
      {thread: 'autograd', kind: 'cpu_op', name: 'aten::addmm', at: [210, 250], sequence: 90, forwardThread: 0},
      launch('autograd', [220, 230], 11),
    ]);
    const [computed, again] = Array.from(trace.gpuOperations.slice, row => sliceContext(trace, row));
    expect(computed).toMatchObject({range: {name: 'linear'}, isBackward: false});
    expect(again).toMatchObject({range: {name: 'layer again'}, isBackward: false});
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

describe('work that is computed again inside a backward operator', () => {
  const checkpoint: readonly Step[] = [
    ...forward,
    {thread: 'autograd', kind: 'cpu_op', name: 'CheckpointBackward', at: [200, 500], sequence: 5, forwardThread: 1},
    {thread: 'autograd', kind: 'cpu_op', name: 'aten::addmm', at: [210, 250], sequence: 90, forwardThread: 0},
    launch('autograd', [220, 230], 11),
    {thread: 'autograd', kind: 'cpu_op', name: 'AddmmBackward0', at: [300, 400], sequence: 90, forwardThread: 1},
    launch('autograd', [310, 320], 13),
    launch('autograd', [600, 610], 17),
  ];

  it('is backward work of the range that it is computed for, and labelled', () => {
    expect(rowsOf(checkpoint).get('linear')).toMatchObject({
      gpuWorkNs: 7,
      backwardGpuWorkNs: 24,
      backwardGpuSelfNs: 24,
      backwardOps: 2,
      backwardLaunches: 2,
      recomputeGpuWorkNs: 11,
    });
  });

  it('leaves the thread autograd’s: what it launches besides is unmatched', () => {
    expect(rowsOf(checkpoint).get('(backward, unmatched)')).toMatchObject({gpuSelfNs: 17, recomputeGpuWorkNs: 0});
  });

  it('stands in a block of its own in the flame graph', () => {
    const {nodes, names} = flameGraph(traceOf(checkpoint), {weight: 'gpu-work'});
    const block = Array.from(nodes.name, name => names[name]).indexOf('(recompute)');
    expect(names[nodes.name[nodes.parent[block] ?? -1] ?? -1]).toBe('(backward)');
  });
});

describe('work that autograd launches, where operators are ranges', () => {
  const steps: readonly Step[] = [
    ...forward,
    {thread: 'autograd', kind: 'cpu_op', name: 'AddmmBackward0', at: [200, 300], sequence: 5, forwardThread: 1},
    {thread: 'autograd', kind: 'cpu_op', name: 'aten::mm', at: [205, 290]},
    launch('autograd', [210, 220], 11),
  ];

  it('is the self of the innermost operator, and backward work of the forward ranges', () => {
    const rows = rowsOf(steps, {kinds: new Set([...taggedRangeKinds, 'cpu_op'])});
    expect(rows.get('aten::mm')).toMatchObject({gpuWorkNs: 11, gpuSelfNs: 11, backwardGpuWorkNs: 0});
    expect(rows.get('linear')).toMatchObject({gpuWorkNs: 7, backwardGpuWorkNs: 11, backwardGpuSelfNs: 0});
  });
});

describe('ranges that emit_nvtx opens', () => {
  const nvtx = (thread: string, name: string, at: [number, number]): Step => ({thread, kind: 'nvtx_pushpop', name, at});
  const steps: readonly Step[] = [
    nvtx('main', 'layer', [0, 100]),
    nvtx('main', 'aten::linear, seq = 5, op_id = 1', [20, 80]),
    nvtx('main', 'aten::addmm, seq = 5, op_id = 2', [30, 70]),
    launch('main', [40, 50], 7),
    nvtx('autograd', 'autograd::engine::evaluate_function: AddmmBackward0, seq = 5, op_id = 9', [190, 310]),
    nvtx('autograd', 'AddmmBackward0, seq = 5, op_id = 10', [200, 300]),
    nvtx('autograd', 'aten::mm, op_id = 11', [205, 290]),
    launch('autograd', [210, 220], 11),
  ];

  it('join backward work to the forward ranges by the sequence number in their names', () => {
    const rows = rowsOf(steps);
    expect(rows.get('layer')).toMatchObject({gpuWorkNs: 7, backwardGpuWorkNs: 11});
    expect(rows.get('aten::addmm, seq = 5, op_id = 2')).toMatchObject({gpuWorkNs: 7, backwardGpuWorkNs: 11});
    expect(rows.get('aten::mm, op_id = 11')).toMatchObject({gpuSelfNs: 11});
  });

  it('are one row per operator where names are folded, and unfold on demand', () => {
    const folded = rowsOf([...steps, nvtx('main', 'aten::addmm, seq = 6, op_id = 3', [82, 90])], {
      fold: {unfolded: []},
    });
    expect(folded.get('aten::addmm')).toMatchObject({count: 2, gpuWorkNs: 7, path: null});
    expect(folded.get('aten::linear')?.path).toBe('layer/aten::linear');
    const unfolded = rowsOf(steps, {fold: {unfolded: ['aten::mm']}});
    expect([...unfolded.keys()]).toContain('aten::mm, op_id = 11');
    expect([...unfolded.keys()]).toContain('aten::addmm');
  });

  it('belong to their process: equal numbers of another one are others', () => {
    const builder = new TraceBuilder();
    ['1', '2'].forEach((pid, index) => {
      const process = builder.process(pid);
      const track = (thread: string) =>
        builder.track({kind: 'thread', process, device: -1, id: thread, name: thread, order: 10});
      const add = (thread: string, name: string, from: number, to: number) =>
        builder.addSlice({
          track: track(thread),
          startNs: from,
          durationNs: to - from,
          name: builder.strings.intern(name),
          kind: 'nvtx_pushpop',
          source: 0,
        });
      add('main', `layer of ${pid}`, 0, 100 + index);
      add('main', 'aten::mm, seq = 5', 10 + index, 90);
      add('autograd', 'MmBackward0, seq = 5', 200, 300);
      const call = builder.addSlice({
        track: track('autograd'),
        startNs: 210,
        durationNs: 5,
        name: builder.strings.intern('launch'),
        kind: 'cuda_runtime',
        source: 0,
      });
      builder.addApiCall(call, process, 1);
      const stream = builder.track({kind: 'stream', process, device: index, id: pid, name: 'Stream', order: 1});
      const kernel = builder.addSlice({
        track: stream,
        startNs: 400,
        durationNs: 10 + index,
        name: builder.strings.intern('k'),
        kind: 'kernel',
        source: 0,
      });
      builder.addGpuOperation(kernel, {process, device: index, stream: 7, correlation: 1});
    });
    const trace = builder.finish({
      meta: {format: 'nsys', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
      baseNs: 0n,
      counts: {kernels: 2, memcpys: 0, memsets: 0, apiCalls: 2, cpuOps: 0, ranges: 6, pythonFrames: 0, flows: 0},
      notes: [],
    });
    const rows = new Map(rangeRows(trace, 'name').map(row => [row.name, row]));
    expect(rows.get('layer of 1')).toMatchObject({backwardGpuWorkNs: 10});
    expect(rows.get('layer of 2')).toMatchObject({backwardGpuWorkNs: 11});
  });
});

it('unmatchedBackwardWork(trace) splits the bucket by what its work is, and adds up to it', () => {
  const accumulate: Step = {
    thread: 'autograd',
    kind: 'cpu_op',
    name: 'torch::autograd::AccumulateGrad',
    at: [300, 400],
  };
  const trace = traceOf([
    {thread: 'autograd', kind: 'cpu_op', name: 'MulBackward0', at: [200, 250], sequence: 99, forwardThread: 1},
    launch('autograd', [210, 220], 11),
    accumulate,
    launch('autograd', [310, 320], 13),
    {...launch('autograd', [330, 340], 17), kernel: {name: 'ncclDevKernel_AllReduce_Sum_f32', kind: 'kernel'}},
    {...launch('autograd', [500, 510], 19), kernel: {name: 'Memcpy DtoD', kind: 'gpu_memcpy'}},
  ]);
  expect(unmatchedBackwardWork(trace)).toEqual([
    {sort: 'communication', workNs: 17, operations: 1},
    {sort: 'gradient accumulation', workNs: 13, operations: 1},
    {sort: 'copies', workNs: 19, operations: 1},
    {sort: 'other', workNs: 11, operations: 1},
  ]);
  expect(flameGraph(trace, {weight: 'gpu-work'}).names).toContain('gradient accumulation');
});
