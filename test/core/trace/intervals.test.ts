import {describe, expect, it} from 'vitest';
import {busyNs} from '../../../src/core/trace/intervals.js';
import {gpuSummary} from '../../../src/core/questions/info.js';
import {traceFromText} from '../../support/trace-from-text.js';

const rows = (intervals: readonly (readonly [number, number])[]) => ({
  length: intervals.length,
  startNs: Float64Array.from(intervals, ([from]) => from),
  durationNs: Float64Array.from(intervals, ([from, to]) => to - from),
});

describe('busyNs(rows, from, to)', () => {
  const overlapping = rows([
    [0, 4],
    [2, 5],
    [6, 8],
    [7, 7],
  ]);

  it('counts overlap once', () => {
    expect(busyNs(overlapping)).toBe(7);
  });

  it('clips to the window', () => {
    expect(busyNs(overlapping, 1, 7)).toBe(5);
  });

  it('is 0 for no rows', () => {
    expect(busyNs(rows([]), 0, 10)).toBe(0);
  });
});

it('gpuSummary(trace) sums work, busy and span over devices; idle is span minus busy', () => {
  const trace = traceFromText(`
    range step      ==============
    stream 0.7      aaaa..bb
    stream 0.8      ..ccc...
    stream 1.7      .....dd....ee
  `);
  expect(gpuSummary(trace)).toEqual({workNs: 13_000, busyNs: 7000 + 4000, spanNs: 8000 + 8000, idleNs: 1000 + 4000});
});
