import {describe, expect, it} from 'vitest';
import {pointCounts} from '../../../src/core/questions/point-counts.js';
import {instantKinds} from '../../../src/core/trace/instants.js';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {seededRandom} from '../../support/random.js';

function finish(builder: TraceBuilder, baseNs = 0n): Trace {
  return builder.finish({
    meta: {format: 'kineto', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
    baseNs,
    counts: {kernels: 0, memcpys: 0, memsets: 0, apiCalls: 0, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0},
    notes: [],
  });
}

/** Samples by the counter's name: `[time, value]`. */
function samplesOf({counters, counterSamples: {atNs, value}}: Trace): Record<string, [number, number][]> {
  return Object.fromEntries(
    counters.map(({name, firstSample, endSample}) => [
      name,
      Array.from(atNs.subarray(firstSample, endSample), (at, i) => [at, value[firstSample + i] ?? NaN]),
    ]),
  );
}

const thread = (builder: TraceBuilder, id: string, order: number) =>
  builder.track({kind: 'thread', process: 0, device: -1, id, name: id, order});

describe('TraceBuilder.points', () => {
  it('addSample() sorts by counter, then time; at one time the last in the file comes last', () => {
    const builder = new TraceBuilder();
    const process = builder.process('7');
    const power = builder.points.counter({name: 'power', unit: 'watts', process: -1, device: 1});
    const bytes = builder.points.counter({name: 'bytes', unit: 'bytes', process, device: -1});
    const busy = builder.points.counter({name: 'busy', unit: 'percent', process: -1, device: 0});
    for (const [counter, at, value] of [
      [power, 300, 90],
      [bytes, 200, 1],
      [busy, 250, 50],
      [power, 100, 80],
      [bytes, 200, 2],
    ] as const)
      expect(builder.points.addSample(counter, at, value)).toBe(true);
    const trace = finish(builder);
    expect(samplesOf(trace)).toEqual({
      busy: [[150, 50]],
      power: [
        [0, 80],
        [200, 90],
      ],
      bytes: [
        [100, 1],
        [100, 2],
      ],
    });
    expect(trace.counters.map(({name}) => name)).toEqual(['busy', 'power', 'bytes']);
    expect(trace.counters[2]).toMatchObject({unit: 'bytes', process: 0, device: -1});
  });

  it('addSample() refuses what is no finite number', () => {
    const builder = new TraceBuilder();
    const counter = builder.points.counter({name: 'c', unit: null, process: -1, device: -1});
    for (const value of [NaN, Infinity, -Infinity]) {
      expect(builder.points.addSample(counter, 0, value)).toBe(false);
    }
    expect(finish(builder).counterSamples.length).toBe(0);
  });

  it('addInstant() keeps its track when tracks are put in the order of display', () => {
    const builder = new TraceBuilder();
    const late = thread(builder, 'late', 2);
    const early = thread(builder, 'early', 1);
    const name = builder.strings.intern('mark');
    builder.points.addInstant(late, 50, name, 'nvtx_mark', null, 5);
    builder.points.addInstant(-1, 40, name, 'marker', null, 4);
    builder.points.addInstant(early, 50, name, 'memory', {bytes: -8, device: -1}, 6);
    const {instants, tracks} = finish(builder);
    const rows = Array.from(instants.atNs, (atNs, row) => ({
      atNs,
      track: tracks[instants.track[row] ?? -1]?.name ?? null,
      kind: instantKinds[instants.kind[row] ?? -1],
      bytes: instants.bytes[row],
      source: instants.source[row],
    }));
    expect(rows).toEqual([
      {atNs: 0, track: null, kind: 'marker', bytes: NaN, source: 4},
      {atNs: 10, track: 'late', kind: 'nvtx_mark', bytes: NaN, source: 5},
      {atNs: 10, track: 'early', kind: 'memory', bytes: -8, source: 6},
    ]);
  });

  it('finish() counts from the first event, be it a slice, an instant or a sample, to the last', () => {
    const builder = new TraceBuilder();
    const track = thread(builder, 'main', 1);
    builder.addSlice({track, startNs: 1000, durationNs: 500, name: 0, kind: 'cpu_op', source: 0});
    builder.points.addInstant(track, 900, 0, 'marker', null, 0);
    builder.points.addSample(builder.points.counter({name: 'c', unit: null, process: -1, device: -1}), 1700, 3);
    const trace = finish(builder, 10n ** 18n);
    expect(trace).toMatchObject({originNs: 10n ** 18n + 900n, spanNs: 800});
    expect([trace.slices.startNs[0], trace.instants.atNs[0], trace.counterSamples.atNs[0]]).toEqual([100, 0, 800]);
  });

  it('pointCounts(trace) counts by kind', () => {
    const builder = new TraceBuilder();
    builder.points.addInstant(-1, 5, 0, 'cpu_sample', null, 0);
    builder.points.addInstant(-1, 6, 0, 'cpu_sample', null, 0);
    builder.points.addSample(builder.points.counter({name: 'c', unit: null, process: -1, device: -1}), 7, 1);
    expect(pointCounts(finish(builder))).toMatchObject({
      counters: 1,
      samples: 1,
      instants: {cpu_sample: 2, memory: 0, nvtx_mark: 0},
    });
  });

  it('finish() of nothing has an origin at the base and no span', () => {
    expect(finish(new TraceBuilder(), 5n)).toMatchObject({
      originNs: 5n,
      spanNs: 0,
      counters: [],
      instants: {length: 0},
    });
  });

  it('finish() sorts many samples as a comparison sort does', () => {
    const random = seededRandom(3);
    const builder = new TraceBuilder();
    const counters = ['a', 'b', 'c'].map(name =>
      builder.points.counter({name, unit: 'count', process: -1, device: -1}),
    );
    const expected: [name: string, at: number, value: number][] = [];
    for (let value = 0; value < 90_000; value++) {
      const counter = Math.floor(random() * 3);
      const at = Math.floor(random() * 1e9);
      builder.points.addSample(counters[counter] ?? 0, at, value);
      expected.push(['abc'.charAt(counter), at, value]);
    }
    expected.sort((a, b) => a[0].localeCompare(b[0]) || a[1] - b[1] || a[2] - b[2]);
    const first = Math.min(...expected.map(([, at]) => at));
    const found = Object.entries(samplesOf(finish(builder))).flatMap(([name, rows]) =>
      rows.map(([at, value]) => [name, at + first, value]),
    );
    expect(found).toEqual(expected);
  });
});
