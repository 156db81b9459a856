import {describe, expect, it} from 'vitest';
import {isUnsteady, outliers, stepStatistics} from '../../../src/core/benchmark/step-statistics.js';
import {seededRandom} from '../../support/random.js';

describe('stepStatistics(stepNs)', () => {
  it('is what Python’s statistics module says of the same steps', () => {
    // statistics.mean, stdev and median of [3, 1, 4, 1, 5, 9, 2, 6]
    expect(stepStatistics([3, 1, 4, 1, 5, 9, 2, 6])).toEqual({
      meanNs: 3.875,
      stdNs: expect.closeTo(2.748376143938713, 12) as number,
      minNs: 1,
      maxNs: 9,
      medianNs: 3.5,
    });
  });

  it('is null of no steps, and of one step there is no deviation', () => {
    expect(stepStatistics([])).toBeNull();
    expect(stepStatistics([7])).toEqual({meanNs: 7, stdNs: null, minNs: 7, maxNs: 7, medianNs: 7});
  });

  it('agrees with the plain formulas on any steps', () => {
    const random = seededRandom(5);
    for (let round = 0; round < 50; round++) {
      const steps = Array.from({length: 2 + Math.floor(30 * random())}, () => Math.floor(1e9 * random()));
      const mean = steps.reduce((sum, ns) => sum + ns, 0) / steps.length;
      const squares = steps.reduce((sum, ns) => sum + (ns - mean) ** 2, 0);
      const sorted = steps.toSorted((a, b) => a - b);
      const [low, high] = [Math.floor, Math.ceil].map(half => sorted[half((steps.length - 1) / 2)] ?? NaN);
      const found = stepStatistics(steps);
      expect(found?.meanNs).toBeCloseTo(mean, 3);
      expect(found?.stdNs).toBeCloseTo(Math.sqrt(squares / (steps.length - 1)), 3);
      expect(found?.medianNs).toBe(((low ?? NaN) + (high ?? NaN)) / 2);
      expect([found?.minNs, found?.maxNs]).toEqual([sorted[0], sorted.at(-1)]);
    }
  });
});

describe('isUnsteady(statistics)', () => {
  it('begins above a quarter of the mean', () => {
    expect(isUnsteady({meanNs: 1213.5, stdNs: 872.2})).toBe(true);
    expect(isUnsteady({meanNs: 100, stdNs: 25})).toBe(false);
    expect(isUnsteady({meanNs: 100, stdNs: null})).toBe(false);
    expect(isUnsteady(null)).toBe(false);
  });
});

describe('outliers(stepNs)', () => {
  it('finds the slow step of ten that a mean and a deviation hide', () => {
    const steps = [520.8, 520.9, 519.7, 520.9, 521.2, 520.7, 520.5, 520.8, 520.8, 592.3];
    expect(outliers(steps).indexOf(true)).toBe(9);
    expect(outliers(steps).filter(is => is)).toHaveLength(1);
  });

  it('goes by five median deviations where steps differ by more than 5 %', () => {
    // The median is 100, and that of the distances 8: the limit is 40.
    const steps = [88, 92, 96, 100, 104, 108];
    expect(outliers([...steps, 139])).toEqual(Array.from({length: 7}, () => false));
    expect(outliers([...steps, 141])).toEqual([false, false, false, false, false, false, true]);
  });

  it('finds none in steps that differ by less than 5 %, or in too few to tell', () => {
    expect(outliers([100, 100, 100, 104])).toEqual([false, false, false, false]);
    expect(outliers([1, 100])).toEqual([false, false]);
  });
});
