import {describe, expect, it} from 'vitest';
import {isBlockingName} from '../../../src/core/attribution/blocking-calls.js';
import {rangeRows, type RangeQuery, type RangeRow} from '../../../src/core/figures/range-rows.js';
import {domainsOf} from '../../../src/core/trace/nvtx-domains.js';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import {kindIndex, type SliceKind} from '../../../src/core/trace/slices.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {randomTrace} from '../../support/random-trace.js';
import {traceFromText} from '../../support/trace-from-text.js';

function rowsByName(trace: Trace, query?: RangeQuery): Map<string, RangeRow> {
  return new Map(rangeRows(trace, 'name', query).map(row => [row.name, row]));
}

/** A thread with these slices; a launch has its kernel at a time of its own. */
function threadTrace(
  slices: readonly (readonly [kind: SliceKind, name: string, fromNs: number, toNs: number])[],
  kernels: readonly (readonly [launchNs: number, fromNs: number, toNs: number])[] = [],
  domainOf: (name: string) => string = () => '',
): Trace {
  const builder = new TraceBuilder();
  const process = builder.process('1');
  const thread = builder.track({kind: 'thread', process, device: -1, id: '1', name: 'main', order: 10});
  for (const [kind, name, fromNs, toNs] of slices) {
    const slice = builder.addSlice({
      track: thread,
      startNs: fromNs,
      durationNs: toNs - fromNs,
      name: builder.rangeName(name, domainOf(name)),
      kind,
      source: 0,
    });
    if (kind === 'cuda_runtime' || kind === 'cuda_driver') builder.addApiCall(slice, process, -1);
  }
  const stream = builder.track({kind: 'stream', process, device: 0, id: '7', name: 'Stream 7', order: 1});
  kernels.forEach(([launchNs, fromNs, toNs], correlation) => {
    const launch = builder.addSlice({
      track: thread,
      startNs: launchNs,
      durationNs: 1,
      name: builder.strings.intern('cudaLaunchKernel'),
      kind: 'cuda_runtime',
      source: 0,
    });
    builder.addApiCall(launch, process, correlation);
    const kernel = builder.addSlice({
      track: stream,
      startNs: fromNs,
      durationNs: toNs - fromNs,
      name: builder.strings.intern('k'),
      kind: 'kernel',
      source: 0,
    });
    builder.addGpuOperation(kernel, {process, device: 0, stream: 7, correlation});
  });
  return builder.finish({
    meta: {format: 'nsys', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
    baseNs: 0n,
    counts: {kernels: 0, memcpys: 0, memsets: 0, apiCalls: 0, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0},
    notes: [],
  });
}

describe('rangeRows(trace, by), beside GPU work', () => {
  it('counts instances with GPU work, and how long the GPU goes on after each', () => {
    const trace = threadTrace(
      [
        ['nvtx_pushpop', 'step', 0, 100],
        ['nvtx_pushpop', 'step', 200, 300],
        ['nvtx_pushpop', 'step', 400, 500],
      ],
      [
        [10, 20, 30],
        [210, 280, 350],
        [220, 350, 380],
      ],
    );
    expect(rowsByName(trace).get('step')).toMatchObject({count: 3, countWithWork: 2, gpuTailNs: 80, gpuSpanNs: 110});
  });

  it('takes the union of the ranges right below from the CPU’s self, though they overlap', () => {
    const trace = threadTrace([
      ['nvtx_pushpop', 'outer', 0, 100],
      ['nvtx_pushpop', 'a', 10, 50],
      ['nvtx_pushpop', 'b', 40, 70],
      ['nvtx_pushpop', 'c', 45, 48],
    ]);
    const rows = rowsByName(trace);
    expect(rows.get('outer')).toMatchObject({cpuWallNs: 100, cpuSelfNs: 40});
    expect(rows.get('b')).toMatchObject({cpuWallNs: 30, cpuSelfNs: 27});
    expect(rows.get('a')).toMatchObject({cpuWallNs: 40, cpuSelfNs: 40});
  });

  it('counts the time in calls that wait for the GPU, once where they nest', () => {
    const trace = threadTrace([
      ['nvtx_pushpop', 'outer', 0, 100],
      ['nvtx_pushpop', 'inner', 10, 60],
      ['cuda_runtime', 'cudaStreamSynchronize_v3020', 20, 50],
      ['cuda_driver', 'cuStreamSynchronize', 25, 45],
      ['cuda_runtime', 'cudaMemcpyAsync_v3020', 62, 65],
      ['cuda_runtime', 'cudaMemcpy_v3020', 70, 75],
      ['cuda_runtime', 'cudaDeviceSynchronize_v3020', 95, 120],
    ]);
    const rows = rowsByName(trace);
    expect(rows.get('outer')?.cpuBlockedNs).toBe(35);
    expect(rows.get('inner')?.cpuBlockedNs).toBe(30);
  });

  it('takes the ranges of one NVTX domain where one is named', () => {
    const trace = threadTrace(
      [
        ['nvtx_pushpop', 'outer', 0, 100],
        ['nvtx_pushpop', 'ncclAllReduce', 10, 90],
        ['nvtx_pushpop', 'inner', 20, 80],
      ],
      [[30, 200, 207]],
      name => (name.startsWith('nccl') ? 'NCCL' : ''),
    );
    expect(domainsOf(trace)).toEqual(['NCCL']);
    expect(rowsByName(trace).get('inner')?.path).toBe('outer/NCCL:ncclAllReduce/inner');
    expect(rowsByName(trace, {domain: ''}).get('inner')).toMatchObject({path: 'outer/inner', gpuSelfNs: 7});
    const nccl = rowsByName(trace, {domain: 'NCCL'});
    expect(nccl.get('NCCL:ncclAllReduce')).toMatchObject({path: 'NCCL:ncclAllReduce', gpuSelfNs: 7});
    expect(nccl.has('outer')).toBe(false);
    for (const range of ['ncclAllReduce@NCCL', 'NCCL:ncclAllReduce', 'ncclAllReduce', 'outer@']) {
      expect(rowsByName(trace, {selection: {range}}).get('NCCL:ncclAllReduce')?.gpuWorkNs).toBe(7);
    }
  });

  it('counts what a graph that was traced as a whole ran for the range around its launch', () => {
    const drawing = `
      range step      ======
      call             G
      stream 7          GGGG
    `;
    const trace = traceFromText(drawing);
    trace.slices.kind[trace.gpuOperations.slice[0] ?? -1] = kindIndex.graph;
    expect(rowsByName(trace).get('step')).toMatchObject({gpuWorkNs: 4000, gpuSelfNs: 4000, ops: 1, launches: 1});
  });
});

it.each([
  ['cudaDeviceSynchronize_v3020', true],
  ['hipStreamSynchronize', true],
  ['cuCtxSynchronize', true],
  ['cudaEventSynchronize', true],
  ['cudaMemcpy_v3020', true],
  ['cudaMemcpy2D_v3020', true],
  ['cuMemcpyDtoH_v2', true],
  ['cudaMemcpyAsync_v3020', false],
  ['cuMemcpyDtoHAsync_v2', false],
  ['cudaStreamWaitEvent', false],
  ['cudaLaunchKernel', false],
])('isBlockingName(%s) is %s', (name, is) => {
  expect(isBlockingName(name)).toBe(is);
});

it.each(Array.from({length: 30}, (_, seed) => seed))(
  'self ≤ wall, blocked ≤ wall, busy ≤ work, with work ≤ all, launches ≤ operations (seed %i)',
  seed => {
    for (const row of rangeRows(randomTrace(seed), 'instance')) {
      expect(row.cpuSelfNs).toBeGreaterThanOrEqual(0);
      expect(row.cpuSelfNs).toBeLessThanOrEqual(row.cpuWallNs);
      expect(row.cpuBlockedNs).toBeLessThanOrEqual(row.cpuWallNs);
      expect(row.backwardGpuBusyNs).toBeLessThanOrEqual(row.backwardGpuWorkNs);
      expect(row.backwardGpuSelfNs).toBeLessThanOrEqual(row.backwardGpuWorkNs);
      expect(row.countWithWork).toBeLessThanOrEqual(row.count);
      expect(row.launches).toBeLessThanOrEqual(row.ops);
      expect(row.backwardLaunches).toBeLessThanOrEqual(row.backwardOps);
      expect(row.recomputeGpuWorkNs).toBeLessThanOrEqual(row.gpuWorkNs + row.backwardGpuWorkNs);
    }
  },
);
