import {expect, it} from 'vitest';
import {fewestSamples, judgeRows, judgeTotal} from '../../../src/core/compare/row-verdicts.js';

/** So many steps about a mean, each a little longer than the one before. */
const samples = (count: number, mean: number) => Float64Array.from({length: count}, (_, at) => mean + at);

const longer = (count: number) => ({before: samples(count, 100), after: samples(count, 200), deltaNs: 100 * count});

it('judgeRows(rows) tests a row from five samples a side on, and says nothing of fewer', () => {
  expect(fewestSamples).toBe(5);
  const [tested, untested] = judgeRows([longer(5), longer(4)]);
  expect(tested?.verdict).toBe('slower');
  expect(tested?.noise).toBeGreaterThan(0);
  expect(untested).toEqual({verdict: 'cannot tell', noise: null});
  expect(judgeTotal(longer(5)).verdict).toBe('slower');
  expect(judgeTotal({...longer(5), before: samples(4, 100)})).toEqual({verdict: 'cannot tell', noise: null});
});
