import {describe, expect, it} from 'vitest';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import type {SliceTable} from '../../../src/core/trace/slices.js';

/** The slices of a thread, from `[start, duration]` in the order of a file. */
function slicesOf(...times: readonly (readonly [startNs: number, durationNs: number])[]): SliceTable {
  const builder = new TraceBuilder();
  const track = builder.track({kind: 'thread', process: -1, device: -1, id: '1', name: '1', order: 0});
  times.forEach(([startNs, durationNs], row) =>
    builder.addSlice({track, startNs, durationNs, name: 0, kind: 'cpu_op', source: row}),
  );
  return builder.finish({
    meta: {format: 'nsys', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
    baseNs: 0n,
    counts: {kernels: 0, memcpys: 0, memsets: 0, apiCalls: 0, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0},
    notes: [],
  }).slices;
}

describe('slices of a trace', () => {
  it.each([
    {longestNs: 2 ** 31 - 1, column: Int32Array},
    {longestNs: 2 ** 31, column: Float64Array},
    {longestNs: 2 ** 50 + 1, column: Float64Array},
  ])('keep durations up to $longestNs ns exactly, and stand in the same order', ({longestNs, column}) => {
    const slices = slicesOf([20, 1], [10, 3], [10, longestNs], [10, 0]);
    expect(slices.durationNs).toBeInstanceOf(column);
    expect([...slices.startNs]).toEqual([0, 0, 0, 10]);
    expect([...slices.durationNs]).toEqual([longestNs, 3, 0, 1]);
    expect([...slices.source]).toEqual([2, 1, 3, 0]);
  });

  it('may be none', () => {
    const {length, startNs, durationNs, name, track} = slicesOf();
    expect([length, startNs, durationNs, name, track].map(Number)).toEqual([0, 0, 0, 0, 0]);
  });

  it('name up to 256 texts in 8 bits each, and more in 16', () => {
    const named = (texts: number) => {
      const builder = new TraceBuilder();
      const track = builder.track({kind: 'thread', process: -1, device: -1, id: '1', name: '1', order: 0});
      for (let at = 0; at < texts; at++)
        builder.addSlice({track, startNs: at, durationNs: 1, name: at, kind: 'cpu_op', source: at});
      return builder.finish({
        meta: {format: 'nsys', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
        baseNs: 0n,
        counts: {kernels: 0, memcpys: 0, memsets: 0, apiCalls: 0, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0},
        notes: [],
      }).slices.name;
    };
    expect(named(256)).toEqual(Uint8Array.from({length: 256}, (_, at) => at));
    expect(named(257)).toEqual(Uint16Array.from({length: 257}, (_, at) => at));
  });
});
