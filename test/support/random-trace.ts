import {TraceBuilder} from '../../src/core/trace/trace-builder.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {seededRandom} from './random.js';

/**
 * Returns a trace with ranges, operators, calls and GPU operations anywhere: nested, overlapping, equal, linked or not,
 * in two processes with an autograd thread each. The same seed gives the same trace.
 *
 * @param threadOrder the position of threads among the tracks: streams are at 1, start/end ranges at 5
 */
export function randomTrace(seed: number, threadOrder = 10): Trace {
  const random = seededRandom(seed);
  const whole = (limit: number) => Math.floor(random() * limit);
  const builder = new TraceBuilder();
  // Every third trace has such coarse times that most slices share their starts and ends.
  const unitNs = seed % 3 === 0 ? 50 : 1;
  const at = (limit: number) => whole(limit / unitNs) * unitNs;
  for (const pid of ['1', '2']) addProcess(pid);
  return builder.finish({
    meta: {format: 'nsys', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
    baseNs: 0n,
    counts: {kernels: 80, memcpys: 0, memsets: 0, apiCalls: 60, cpuOps: 0, ranges: 40, pythonFrames: 0, flows: 0},
    notes: [],
  });

  function addProcess(pid: string): void {
    const process = builder.process(pid);
    const threads = ['a', 'b', 'autograd'].map(id =>
      builder.track({kind: 'thread', process, device: -1, id, name: id, order: threadOrder}),
    );
    const overlay = builder.track({kind: 'process-ranges', process, device: -1, id: 'r', name: 'r', order: 5});
    addRanges(threads, overlay);
    addOperators(threads);
    addCalls(process, threads);
    addOperations(process);
  }

  function addRanges(threads: readonly number[], overlay: number): void {
    for (let i = 0; i < 40; i++) {
      const name = builder.strings.intern(`range_${String(whole(6))}`);
      const isOverlay = random() < 0.15;
      const track = isOverlay ? overlay : (threads[whole(3)] ?? 0);
      builder.addSlice({
        track,
        startNs: at(500),
        durationNs: at(200),
        name,
        kind: isOverlay ? 'nvtx_startend' : 'user_annotation',
        source: i,
      });
    }
  }

  function addOperators(threads: readonly number[]): void {
    const forwardOperators: {readonly track: number; readonly startNs: number}[] = [];
    for (let i = 0; i < 30; i++) {
      const isBackward = random() < 0.4;
      const name = builder.strings.intern(isBackward ? 'MmBackward0' : 'aten::mm');
      const track = threads[isBackward ? 1 + whole(2) : whole(2)] ?? 0;
      const startNs = at(500);
      const slice = builder.addSlice({track, startNs, durationNs: at(60), name, kind: 'cpu_op', source: i});
      builder.addOperator(slice, i, random() < 0.2 ? -1 : whole(12), isBackward ? 1 + whole(2) : 0);
      const forward = forwardOperators[whole(forwardOperators.length)];
      if (isBackward && forward && random() < 0.5) {
        builder.addForwardBackward(forward.track, forward.startNs, track, startNs);
      }
      if (!isBackward) forwardOperators.push({track, startNs});
    }
  }

  function addCalls(process: number, threads: readonly number[]): void {
    for (let i = 0; i < 60; i++) {
      const name = builder.strings.intern('cudaLaunchKernel');
      const call = builder.addSlice({
        track: threads[whole(3)] ?? 0,
        startNs: at(600),
        durationNs: at(12),
        name,
        kind: 'cuda_runtime',
        source: i,
      });
      builder.addApiCall(call, process, whole(50));
    }
  }

  function addOperations(process: number): void {
    for (let i = 0; i < 80; i++) {
      const device = whole(2);
      const stream = whole(3);
      const track = builder.track({
        kind: 'stream',
        process,
        device,
        id: `${String(device)} ${String(stream)}`,
        name: 'Stream',
        order: 1,
      });
      const slice = builder.addSlice({
        track,
        startNs: at(900),
        durationNs: at(60),
        name: builder.strings.intern('kernel'),
        kind: 'kernel',
        source: i,
      });
      const correlation = random() < 0.1 ? -1 : whole(60);
      const externalId = random() < 0.5 ? -1 : whole(40);
      builder.addGpuOperation(slice, {process, device, stream, correlation, externalId});
    }
  }
}
