import {describe, expect, it} from 'vitest';
import {counterRange, visibleCounters} from '../../../src/core/layout/visible-counters.js';
import {visibleInstants} from '../../../src/core/layout/visible-instants.js';
import {visibleTimeline} from '../../../src/core/layout/visible-timeline.js';
import {timelineSummary} from '../../../src/core/questions/tracks.js';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {seededRandom} from '../../support/random.js';
import {allLanes} from '../../support/all-lanes.js';
import {plainFacts} from '../../support/plain-facts.js';

/** A slice of 1000 ns on one thread, a counter's samples and instants of that thread and of the whole trace. */
function traceOf(samples: readonly (readonly [atNs: number, value: number])[], atNs: readonly number[] = []): Trace {
  const builder = new TraceBuilder();
  const process = builder.process('1');
  const track = builder.track({kind: 'thread', process, device: -1, id: '1', name: 't', order: 0});
  builder.addSlice({
    track,
    startNs: 0,
    durationNs: 1000,
    name: builder.strings.intern('all'),
    kind: 'cpu_op',
    source: 0,
  });
  const counter = builder.points.counter({name: 'allocated', unit: 'bytes', process, device: -1});
  for (const [at, value] of samples) builder.points.addSample(counter, at, value);
  const name = builder.strings.intern('epoch');
  for (const at of atNs) builder.points.addInstant(track, at, name, 'nvtx_mark', null, 0);
  builder.points.addInstant(-1, 500, name, 'marker', null, 0);
  return builder.finish(plainFacts);
}

const window = {fromNs: 0, toNs: 1000, widthPx: 10};

describe('visibleCounters(trace, window, counters)', () => {
  const rowsOf = (trace: Trace, change: Partial<typeof window> = {}) => {
    const {atPx, low, high, last, length} = visibleCounters(trace, {...window, ...change}, [0]);
    return Array.from({length}, (_, i) => [atPx[i], low[i], high[i], last[i]]);
  };

  it('gives one row per pixel, with the least, the largest and the last value in it', () => {
    const trace = traceOf([
      [100, 5],
      [110, 90],
      [120, 1],
      [130, 7],
      [400, 8],
    ]);
    expect(rowsOf(trace)).toEqual([
      [1, 1, 90, 7],
      [4, 8, 8, 8],
    ]);
  });

  it('begins with the value that holds at the window’s left edge, and with none before the first sample', () => {
    const trace = traceOf([
      [100, 5],
      [700, 6],
    ]);
    expect(rowsOf(trace, {fromNs: 300, toNs: 500})).toEqual([[0, 5, 5, 5]]);
    expect(rowsOf(trace, {fromNs: 0, toNs: 50})).toEqual([]);
  });

  it('finds the same extremes as a plain loop, by groups of samples', () => {
    const random = seededRandom(3);
    const samples = Array.from({length: 1000}, (_, at) => [at, Math.floor(random() * 1e6)] as const);
    const trace = traceOf(samples);
    for (const row of rowsOf(trace).slice(1)) {
      const [atPx = 0, low, high] = row;
      const inside = samples.filter(([at]) => at >= atPx * 100 && at <= atPx * 100 + 100).map(([, value]) => value);
      expect([low, high]).toEqual([Math.min(...inside), Math.max(...inside)]);
    }
    const values = samples.map(([, value]) => value);
    expect(counterRange(trace, 0)).toEqual({low: Math.min(...values), high: Math.max(...values)});
  });

  it('leaves out counters that do not exist', () => {
    expect(visibleCounters(traceOf([]), window, [7, -1]).length).toBe(0);
  });
});

describe('visibleInstants(trace, window, tracks)', () => {
  it('makes one marker of the instants of a track that share a pixel', () => {
    const {markers, names} = visibleInstants(traceOf([], [100, 110, 150, 900]), window, [0]);
    const rows = Array.from({length: markers.length}, (_, i) => [
      markers.atPx[i],
      names[markers.name[i] ?? -1] ?? '*',
      markers.count[i],
    ]);
    expect(rows).toEqual([
      [1, '*', 3],
      [9, 'epoch', 1],
    ]);
  });

  it('has those of the whole trace at track -1, and none for tracks that do not exist', () => {
    expect(visibleInstants(traceOf([]), window, [-1]).markers.length).toBe(1);
    expect(visibleInstants(traceOf([]), window, [5, -2, 0.5]).markers.length).toBe(0);
  });
});

it('timelineSummary(trace) lists counters with their extremes, and the markers of the whole trace', () => {
  const {tracks, counters} = timelineSummary(traceOf([[100, 5]], [100]));
  expect(tracks.map(({track, name, instantCount}) => [track, name, instantCount])).toEqual([
    [0, 't', 1],
    [-1, 'Markers', 1],
  ]);
  expect(counters).toMatchObject([{counter: 0, name: 'allocated', unit: 'bytes', low: 5, high: 5}]);
});

it('visibleTimeline(trace, window) shows nothing of a window that is none', () => {
  for (const bad of [{fromNs: NaN}, {toNs: -1}, {widthPx: 0}, {widthPx: Infinity}]) {
    const asked = {...window, lanes: allLanes([0]), instants: [0], counters: [0], ...bad};
    expect(visibleTimeline(traceOf([[1, 1]]), asked).slices.blocks.length).toBe(0);
  }
});
