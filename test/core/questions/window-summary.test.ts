import {describe, expect, it} from 'vitest';
import {windowSummary} from '../../../src/core/questions/window-summary.js';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import {apiCallKinds, gpuOperationKinds, sliceKinds, type SliceKind} from '../../../src/core/trace/slices.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {seededRandom} from '../../support/random.js';

/** Calls of two threads and operations of two GPUs, thousands each, of which one in 200 lasts for most of the trace. */
function longTrace(seed: number): Trace {
  const random = seededRandom(seed);
  const builder = new TraceBuilder();
  const process = builder.process('1');
  const names = ['a', 'b', 'c'].map(name => builder.strings.intern(name));
  const timesOf = () => {
    const shortNs = random() < 0.1 ? 0 : Math.floor(random() * 40);
    return {startNs: Math.floor(random() * 30_000), durationNs: random() < 0.005 ? 20_000 : shortNs};
  };
  for (const id of ['x', 'y']) {
    const track = builder.track({kind: 'thread', process, device: -1, id, name: id, order: 10});
    for (let i = 0; i < 1500; i++) {
      const name = names[Math.floor(random() * 3)] ?? 0;
      const slice = builder.addSlice({track, ...timesOf(), name, kind: 'cuda_runtime', source: i});
      builder.addApiCall(slice, process, i);
    }
  }
  for (const device of [0, 1]) {
    const track = builder.track({kind: 'stream', process: -1, device, id: '7', name: '7', order: 1});
    for (let i = 0; i < 1500; i++) {
      const name = names[Math.floor(random() * 3)] ?? 0;
      const slice = builder.addSlice({track, ...timesOf(), name, kind: 'kernel', source: i});
      builder.addGpuOperation(slice, {process, device, stream: 7});
    }
  }
  return builder.finish({
    meta: {format: 'nsys', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
    baseNs: 0n,
    counts: {kernels: 3000, memcpys: 0, memsets: 0, apiCalls: 3000, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0},
    notes: [],
  });
}

/** Name → slices of some kinds in a window and their time in it, by a look at every row. */
function recount(trace: Trace, kinds: ReadonlySet<SliceKind>, fromNs: number, toNs: number): Record<string, number[]> {
  const {slices, strings} = trace;
  const found: Record<string, number[]> = {};
  for (let row = 0; row < slices.length; row++) {
    const [startNs, durationNs] = [slices.startNs[row] ?? NaN, slices.durationNs[row] ?? NaN];
    const kind = sliceKinds[slices.kind[row] ?? 0] ?? 'other';
    if (!kinds.has(kind) || !isInside(startNs, durationNs, fromNs, toNs)) continue;
    const name = strings.get(slices.name[row] ?? 0);
    const [count = 0, sumNs = 0] = found[name] ?? [];
    found[name] = [count + 1, sumNs + Math.min(startNs + durationNs, toNs) - Math.max(startNs, fromNs)];
  }
  return found;
}

function isInside(startNs: number, durationNs: number, fromNs: number, toNs: number): boolean {
  if (durationNs === 0) return startNs >= fromNs && startNs < toNs;
  return startNs < toNs && startNs + durationNs > fromNs;
}

/** How long an operation runs on a GPU in a window, nanosecond for nanosecond. */
function recountBusy({slices, gpuOperations}: Trace, device: number, fromNs: number, toNs: number): number {
  const isBusy = new Uint8Array(60_000);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (gpuOperations.device[operation] !== device) continue;
    const row = gpuOperations.slice[operation] ?? 0;
    const startNs = slices.startNs[row] ?? NaN;
    isBusy.fill(1, startNs, startNs + (slices.durationNs[row] ?? NaN));
  }
  return isBusy.subarray(fromNs, toNs).reduce((sum, busy) => sum + busy, 0);
}

describe('windowSummary(trace, selection) of thousands of slices', () => {
  it.each([1, 2, 3])('equals a look at every row, whatever the window (seed %i)', seed => {
    const trace = longTrace(seed);
    const random = seededRandom(seed + 100);
    for (let i = 0; i < 60; i++) {
      const fromNs = Math.floor(random() * 52_000);
      const toNs = fromNs + 1 + Math.floor(random() ** 4 * 30_000);
      const summary = windowSummary(trace, {fromNs, toNs});
      const listed = (rows: (typeof summary)['calls']) =>
        Object.fromEntries(rows.map(({name, count, insideNs}) => [name, [count, insideNs]]));
      expect(listed(summary.operations)).toEqual(recount(trace, gpuOperationKinds, fromNs, toNs));
      expect(listed(summary.calls)).toEqual(recount(trace, apiCallKinds, fromNs, toNs));
      for (const {device, busyNs} of summary.devices) expect(busyNs).toBe(recountBusy(trace, device, fromNs, toNs));
    }
  });
});
