import {describe, expect, it} from 'vitest';
import {assignLanes} from '../../../src/core/trace/lanes.js';
import {seededRandom} from '../../support/random.js';

/** Lanes of intervals given as `[from, to]`, in the order of a track. */
function lanesOf(intervals: readonly (readonly [number, number])[]): number[] {
  const startNs = Float64Array.from(intervals, ([from]) => from);
  const durationNs = Float64Array.from(intervals, ([from, to]) => to - from);
  const lane = new Uint16Array(intervals.length);
  const laneCount = assignLanes({length: intervals.length, startNs, durationNs}, lane, 0, intervals.length);
  expect(laneCount).toBe(Math.max(-1, ...lane) + 1);
  return [...lane];
}

describe('assignLanes(rows)', () => {
  it('puts children below their parents', () => {
    expect(
      lanesOf([
        [0, 10],
        [1, 4],
        [2, 3],
        [5, 9],
        [10, 12],
      ]),
    ).toEqual([0, 1, 2, 1, 0]);
  });

  it('gives lanes back, so that a chain of overlaps takes two', () => {
    expect(
      lanesOf([
        [0, 10],
        [8, 20],
        [18, 30],
        [28, 40],
      ]),
    ).toEqual([0, 1, 0, 1]);
  });

  it('keeps a slice below a parent that it outlives', () => {
    expect(
      lanesOf([
        [0, 10],
        [5, 15],
        [6, 8],
      ]),
    ).toEqual([0, 1, 2]);
  });

  it('never lets slices of a lane overlap', () => {
    const random = seededRandom(7);
    const intervals = Array.from({length: 500}, () => {
      const from = Math.floor(random() * 1000);
      return [from, from + Math.floor(random() * 80)] as const;
    }).sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    const lanes = lanesOf(intervals);
    const lastEnd = new Map<number, number>();
    intervals.forEach(([from, to], i) => {
      const lane = lanes[i] ?? -1;
      expect(lastEnd.get(lane) ?? 0).toBeLessThanOrEqual(from);
      lastEnd.set(lane, to);
    });
  });
});
