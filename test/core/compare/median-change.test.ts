import {describe, expect, it} from 'vitest';
import {median} from '../../../src/core/base/median.js';
import {isMeasurable, medianChange, noiseOf} from '../../../src/core/compare/median-change.js';
import {medianChangeText} from '../../../src/core/text/median-change-text.js';
import {seededRandom} from '../../support/random.js';

describe('medianChange(now, before)', () => {
  it('compares medians, which one evaluation or a cold step does not move', () => {
    const change = medianChange([12, 12.1, 2000, 11.9], [10, 10.1, 9.9, 300]);
    expect(change?.percent).toBeCloseTo((100 * (12.05 - 10.05)) / 10.05, 10);
  });

  it('has the interval of all pairs where three stand against three, by hand', () => {
    const change = medianChange([14, 15, 16], [9, 10, 11]);
    // The least pair is 14 − 11, the largest 16 − 9, of a base of 10.
    expect(change).toEqual({percent: 50, interval: {lowPercent: 30, highPercent: 70}});
    expect(change && medianChangeText(change)).toBe('+50 % (±20)');
  });

  it('leaves pairs out of the interval as the tables of Mann and Whitney have it', () => {
    // Critical values of U for 5 %, two-sided: 5 and 5: 2, 8 and 8: 13, 10 and 7: 14. So many pairs and one more differ.
    for (const [some, others, critical] of [
      [5, 5, 2],
      [8, 8, 13],
      [10, 7, 14],
      [4, 4, 0],
    ] as const) {
      const now = Array.from({length: some}, (_, at) => 1000 + at * 17);
      const before = Array.from({length: others}, (_, at) => 1000 + at);
      const pairs = now.flatMap(one => before.map(other => one - other)).sort((a, b) => a - b);
      const change = medianChange(now, before);
      const drift = (list: number[]) =>
        list.length < 6
          ? 0
          : Math.abs(median(list.slice(0, list.length >> 1)) - median(list.slice(-(list.length >> 1))));
      const base = median(before);
      const widest = Math.max(drift(now), drift(before));
      expect(((change?.interval?.lowPercent ?? NaN) / 100) * base + widest).toBeCloseTo(
        Math.min(pairs[critical] ?? NaN, median(now) - base),
        6,
      );
    }
  });

  it('has no interval of fewer than three on a side, and is nothing without a base', () => {
    expect(medianChange([10], [10, 11, 12])?.interval).toBeNull();
    expect(medianChange([10, 11], [10, 11, 12])?.interval).toBeNull();
    expect(medianChange([10, 11], [10, 11, 12, 13, 14])?.interval).toBeNull();
    expect(medianChange(Array<number>(40).fill(10), [12])?.interval).toBeNull();
    expect(medianChange([], [1, 2, 3])).toBeNull();
    expect(medianChange([1], [])).toBeNull();
    expect(medianChange([1], [0])).toBeNull();
    expect(medianChangeText({percent: 300, interval: null})).toBe('not measurable');
  });

  it('takes noise for noise: of samples of one distribution at most one in twenty is a difference', () => {
    const random = seededRandom(7);
    // Steps as they come: mostly alike, with a long tail.
    const steps = (count: number) => Array.from({length: count}, () => 10 + 1 / (0.05 + random()));
    for (const count of [4, 10, 30]) {
      let found = 0;
      for (let i = 0; i < 400; i++) {
        const change = medianChange(steps(count), steps(count));
        if (change && isMeasurable(change)) found++;
      }
      expect([count, found / 400 <= 0.05]).toEqual([count, true]);
    }
  });

  it('finds a real change above the noise, and says what the noise is of one below', () => {
    const random = seededRandom(3);
    const steps = (ms: number) => Array.from({length: 30}, () => ms * (1 + 0.02 * random()));
    const real = medianChange(steps(11), steps(10));
    expect(real && isMeasurable(real)).toBe(true);
    expect(real?.percent).toBeCloseTo(10, 0);
    const none = medianChange(steps(10), steps(10));
    expect(none && medianChangeText(none)).toMatch(/^not measurable \(±\d\.\d %\)$/);
    expect(none && noiseOf(none)).toBeLessThan(3);
  });

  it('isMeasurable(change) wants an interval that leaves out 0 and is no wider than the change to each side', () => {
    const measurable = (percent: number, lowPercent: number, highPercent: number) =>
      isMeasurable({percent, interval: {lowPercent, highPercent}});
    expect([measurable(10, 5, 15), measurable(10, -5, 15), measurable(-10, -15, -5)]).toEqual([true, false, true]);
    expect(measurable(10, 1, 25)).toBe(false);
  });

  it('is widened by what drifts within a run', () => {
    const [rising, level] = [[10, 11, 12, 13, 14, 15, 16, 17], Array.from({length: 8}, () => 12)];
    const change = medianChange(rising, level);
    expect(change?.interval?.lowPercent).toBeLessThan(-25);
  });

  it('takes thousands of steps', () => {
    const random = seededRandom(9);
    const steps = Array.from({length: 1000}, () => 10 + random());
    const change = medianChange(steps, steps);
    expect(change?.percent).toBe(0);
    expect(change && noiseOf(change)).toBeLessThan(2);
  });
});
