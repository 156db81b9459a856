import {describe, expect, it} from 'vitest';
import {differenceOf, isAboveNoise} from '../../../src/core/compare/step-difference.js';
import {deltaText} from '../../../src/core/text/delta-text.js';

const figure = (values: readonly number[]) => {
  const meanNs = values.reduce((a, b) => a + b, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - meanNs) ** 2, 0);
  return {meanNs, deviationNs: Math.sqrt(squares / (values.length - 1)), steps: values.length};
};

describe('differenceOf(now, before)', () => {
  it('has Welch’s interval for its noise', () => {
    // Welch's example in R's documentation of t.test: extra sleep by two drugs, n = 10, t = -1.8608, df = 17.776,
    // 95 % interval -3.3654832 to 0.2054832, so its half is 1.7854832.
    const one = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
    const other = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
    const difference = differenceOf(figure(one), figure(other));
    const before = figure(other).meanNs;
    expect((difference?.fraction ?? 0) * before).toBeCloseTo(-1.58, 6);
    // The degrees of freedom are rounded down to 17, where t is 2.110 instead of 2.103.
    expect((difference?.noiseFraction ?? 0) * before).toBeCloseTo((1.7854832 * 2.11) / 2.1028, 3);
    expect(difference && isAboveNoise(difference)).toBe(false);
  });

  it('is null where nothing can be said', () => {
    const two = figure([1, 2]);
    expect(differenceOf(two, figure([1]))).toBeNull();
    expect(differenceOf(figure([1]), two)).toBeNull();
    expect(differenceOf(two, figure([0, 0]))).toBeNull();
  });

  it('is above a noise that there is not', () => {
    const difference = differenceOf(figure([11, 11]), figure([10, 10]));
    expect(difference).toEqual({fraction: 0.1, noiseFraction: 0});
    expect(deltaText(difference)).toBe('▲ +10 % (±0)');
  });
});

it.each([
  [{fraction: 0.12, noiseFraction: 0.03}, '▲ +12 % (±3)'],
  [{fraction: 0.5, noiseFraction: 0.004}, '▲ +50 % (±0.4)'],
  [{fraction: -0.042, noiseFraction: 0.008}, '▼ -4.2 % (±0.8)'],
  [{fraction: 0.12, noiseFraction: 0.2}, ''],
  [{fraction: 0, noiseFraction: 0}, ''],
  [null, ''],
])('deltaText(%j) is %j', (difference, text) => {
  expect(deltaText(difference)).toBe(text);
});
