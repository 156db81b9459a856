import {expect, it} from 'vitest';
import {laneIndex} from '../../../src/core/layout/lane-index.js';
import {MainSliceFinder} from '../../../src/core/layout/main-slice.js';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';

const facts = {
  meta: {format: 'kineto', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
  baseNs: 0n,
  counts: {kernels: 0, memcpys: 0, memsets: 0, apiCalls: 0, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0},
  notes: [],
} as const;

/** The main slice's name of kernels with these durations, one after another. */
function mainOf(kernels: readonly (readonly [name: string, durationNs: number])[]): string {
  const builder = new TraceBuilder();
  const track = builder.track({kind: 'stream', process: -1, device: 0, id: '7', name: 'Stream 7', order: 0});
  let startNs = 0;
  kernels.forEach(([name, durationNs], at) => {
    builder.addSlice({track, startNs, durationNs, name: builder.strings.intern(name), kind: 'kernel', source: at});
    startNs += durationNs;
  });
  const trace = builder.finish(facts);
  const row = new MainSliceFinder(trace).find(trace, laneIndex(trace).order, 0, kernels.length);
  return trace.strings.get(trace.slices.name[row] ?? 0);
}

it('is of the class with the most time, although a single name of another class has more', () => {
  const products = ['ampere_sgemm_128x64', 'cutlass_gemm_a', 'xmma_gemm_b'].map(name => [name, 40] as const);
  expect(mainOf([['softmax_warp_forward', 100], ...products])).toBe('ampere_sgemm_128x64');
});

it('is the name with the most time in its class, not the longest slice', () => {
  expect(
    mainOf([
      ['cutlass_gemm_a', 50],
      ['ampere_sgemm', 30],
      ['ampere_sgemm', 30],
    ]),
  ).toBe('ampere_sgemm');
});

it('looks at equal distances where slices are many', () => {
  const many = Array.from({length: 4000}, (_, at) => [at % 10 === 9 ? 'softmax' : 'sgemm', 10] as const);
  expect(mainOf(many)).toBe('sgemm');
});
