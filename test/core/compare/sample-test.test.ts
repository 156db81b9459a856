import {describe, expect, it} from 'vitest';
import {discoveries} from '../../../src/core/compare/false-discovery.js';
import {sampleTest} from '../../../src/core/compare/sample-test.js';
import {studentQuantile, studentTail} from '../../../src/core/compare/student-t.js';

describe('Student’s t', () => {
  // NIST/SEMATECH e-Handbook, 1.3.6.7.2, for 95 % and 99 % on both sides.
  it.each([
    [1, 12.706, 63.657],
    [4, 2.776, 4.604],
    [10, 2.228, 3.169],
    [30, 2.042, 2.75],
    [1e6, 1.96, 2.576],
  ])('has the quantiles of the tables for %d degrees of freedom', (freedom, at95, at99) => {
    expect(studentQuantile(0.05, freedom)).toBeCloseTo(at95, 3);
    expect(studentQuantile(0.01, freedom)).toBeCloseTo(at99, 3);
    expect(studentTail(at95, freedom)).toBeCloseTo(0.05, 4);
  });

  it('is certain at 0 and impossible far away', () => {
    expect(studentTail(0, 5)).toBeCloseTo(1, 12);
    expect(studentTail(Infinity, 5)).toBe(0);
  });
});

describe('sampleTest(one, other)', () => {
  const values = (...numbers: number[]) => Float64Array.from(numbers);

  it('of five against five is no surer than Mann and Whitney’s test can be: 2 ÷ 252', () => {
    expect(sampleTest(values(1, 1, 1, 1, 1), values(2, 2, 2, 2, 2))).toBeCloseTo(2 / 252, 10);
  });

  it('is 1 for equal samples, and the same both ways', () => {
    expect(sampleTest(values(1, 2, 3), values(1, 2, 3))).toBe(1);
    const [one, other] = [values(3, 1, 4, 1, 5, 9), values(2, 7, 1, 8, 2, 8, 1)];
    expect(sampleTest(one, other)).toBe(sampleTest(other, one));
  });
});

describe('discoveries(probabilities, rate)', () => {
  it('gives those of Benjamini and Hochberg’s own example', () => {
    // Table 1 of their article, 15 tests at 5 %: the first four are found.
    const probabilities = [
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
    ];
    expect(discoveries(probabilities, 0.05).filter(Boolean)).toHaveLength(4);
    expect(discoveries(probabilities.toReversed(), 0.05).lastIndexOf(true)).toBe(14);
  });

  it('finds nothing among nothing', () => {
    expect(discoveries([], 0.05)).toEqual([]);
    expect(discoveries([0.9, 0.5], 0.05)).toEqual([false, false]);
  });
});
