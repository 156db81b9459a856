import {describe, expect, it} from 'vitest';
import {groupByInstance} from '../../../src/core/attribution/range-groups.js';
import {attribute} from '../../../src/core/attribution/attribute.js';
import {projectRanges} from '../../../src/core/attribution/project-ranges.js';
import {rangeTotals} from '../../../src/core/attribution/range-totals.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import {taggedRangeKinds, type SliceKind} from '../../../src/core/trace/slices.js';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import type {Trace} from '../../../src/core/trace/trace.js';

/** A worked table of Nsight's rules, checked with nsys 2022.4.2: spans and launches are what nsys prints. */
function workedTrace(startEndKind: SliceKind): Trace {
  const builder = new TraceBuilder();
  const process = builder.process('1');
  const thread = builder.track({kind: 'thread', process, device: -1, id: '101', name: 'main', order: 10});
  const overlay = builder.track({kind: 'process-ranges', process, device: -1, id: 'r', name: 'ranges', order: 5});
  const range = (name: string, startNs: number, endNs: number, kind: SliceKind = 'nvtx_pushpop') =>
    builder.addSlice({
      track: kind === 'nvtx_startend' ? overlay : thread,
      startNs,
      durationNs: endNs - startNs,
      name: builder.strings.intern(name),
      kind,
      source: 0,
    });
  range('outer', 1000, 9000);
  range('inner', 2000, 4000);
  range('DomX:domr', 2500, 3500);
  range('inner', 5000, 6000);
  range('nogpu', 6500, 6600);
  range('open', 7000, 9000);
  range('se', 1500, 8000, startEndKind);
  const launch = (
    correlation: number,
    [from, to]: [number, number],
    operations: [stream: number, from: number, to: number][],
  ) => {
    const name = builder.strings.intern('cudaLaunchKernel_v7000');
    builder.addApiCall(
      builder.addSlice({track: thread, startNs: from, durationNs: to - from, name, kind: 'cuda_runtime', source: 0}),
      process,
      correlation,
    );
    for (const [stream, start, end] of operations) {
      const track = builder.track({kind: 'stream', process, device: 0, id: String(stream), name: 'Stream', order: 1});
      const slice = builder.addSlice({
        track,
        startNs: start,
        durationNs: end - start,
        name: builder.strings.intern('k'),
        kind: 'kernel',
        source: 0,
      });
      builder.addGpuOperation(slice, {process, device: 0, stream, correlation});
    }
  };
  launch(1, [2100, 2200], [[7, 2500, 2600]]);
  launch(2, [2600, 2700], [[7, 2650, 3050]]);
  launch(3, [5100, 5200], [[7, 12000, 12333]]);
  launch(4, [7100, 7200], [[7, 12400, 12411]]);
  launch(
    5,
    [8500, 8600],
    [
      [7, 13000, 13100],
      [8, 13050, 13200],
    ],
  );
  launch(6, [8990, 9010], [[7, 30000, 30010]]);
  return builder.finish({
    meta: {format: 'nsys', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
    baseNs: 0n,
    counts: {kernels: 7, memcpys: 0, memsets: 0, apiCalls: 6, cpuOps: 0, ranges: 7, pythonFrames: 0, flows: 0},
    notes: [],
  });
}

interface Expected {
  readonly spanNs: number;
  readonly launches: number;
  readonly workNs: number;
  readonly selfNs: number;
  readonly busyNs: number;
}

const expected: Readonly<Record<string, Expected>> = {
  outer: {spanNs: 10700, launches: 5, workNs: 1094, selfNs: 0, busyNs: 1044},
  'inner#1': {spanNs: 550, launches: 2, workNs: 500, selfNs: 100, busyNs: 500},
  'DomX:domr': {spanNs: 400, launches: 1, workNs: 400, selfNs: 400, busyNs: 400},
  'inner#2': {spanNs: 333, launches: 1, workNs: 333, selfNs: 333, busyNs: 333},
  nogpu: {spanNs: 0, launches: 0, workNs: 0, selfNs: 0, busyNs: 0},
  open: {spanNs: 800, launches: 2, workNs: 261, selfNs: 261, busyNs: 211},
  se: {spanNs: 9911, launches: 4, workNs: 844, selfNs: 0, busyNs: 844},
};

/** Figures by instance; instances of one name are numbered in the order of their start. */
function figures(trace: Trace): Record<string, Expected> {
  const attribution = attribute(trace, {kinds: taggedRangeKinds});
  const {ranges} = attribution;
  const totals = rangeTotals(trace, attribution, groupByInstance(ranges));
  const {fromNs, toNs} = projectRanges(trace, attribution);
  const names = Array.from(ranges.slice, row => trace.strings.get(trace.slices.name[row] ?? 0));
  const seen = new Map<string, number>();
  return Object.fromEntries(
    names.map((name, range) => {
      const number = (seen.get(name) ?? 0) + 1;
      seen.set(name, number);
      const isRepeated = names.filter(other => other === name).length > 1;
      const span = (toNs[range] ?? 0) - (fromNs[range] ?? 0);
      return [
        isRepeated ? `${name}#${String(number)}` : name,
        {
          spanNs: span > 0 ? span : 0,
          launches: totals.launches[range] ?? NaN,
          workNs: totals.gpuWorkNs[range] ?? NaN,
          selfNs: totals.gpuSelfNs[range] ?? NaN,
          busyNs: totals.gpuBusyNs[range] ?? NaN,
        },
      ];
    }),
  );
}

describe('the worked table of Nsight’s rules', () => {
  it('attribute(trace) with the start/end range as an overlay gives every figure of the table', () => {
    expect(figures(workedTrace('nvtx_startend'))).toEqual(expected);
  });

  it('attribute(trace) with the start/end range pushed gives the same, as its work is all under nearer ranges', () => {
    expect(figures(workedTrace('nvtx_pushpop'))).toEqual(expected);
  });

  it('rangeRows(trace) puts the launch that straddles the end of "outer" outside any range', () => {
    const rows = rangeRows(workedTrace('nvtx_startend'), 'name');
    expect(rows.find(({name}) => name === '(outside any range)')).toMatchObject({gpuSelfNs: 10, ops: 1, launches: 1});
    expect(rows.find(({name}) => name === 'inner')).toMatchObject({count: 2, gpuWorkNs: 833, gpuSpanNs: 883, ops: 3});
    expect(rows.reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0)).toBe(1104);
  });
});
