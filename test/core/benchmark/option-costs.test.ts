import {describe, expect, it} from 'vitest';
import {optionCosts, optionCostsText, parseOptionSteps} from '../../../src/core/benchmark/option-costs.js';
import {formatChange} from '../../../src/core/format/change.js';

describe('optionCosts(steps)', () => {
  it('is what the median step takes longer with an option, in percent of one without the profiler', () => {
    const steps = {
      plainNs: [90, 110],
      noneNs: [119, 120, 121],
      options: {stacks: [149, 150, 151], memory: [120, 120, 123]},
    };
    // (150 − 120) ÷ 100; of all pairs the least is 149 − 121, the largest 151 − 119.
    const [stacks, memory, ...others] = optionCosts(steps);
    expect(stacks).toEqual({
      option: 'stacks',
      percent: expect.closeTo(30, 10) as number,
      interval: {lowPercent: expect.closeTo(28, 10) as number, highPercent: expect.closeTo(32, 10) as number},
    });
    expect(memory).toMatchObject({option: 'memory', percent: 0});
    expect(others).toEqual([]);
    expect(optionCostsText(optionCosts(steps))).toBe(
      'stacks +30 % (±2) of a step, memory not measurable (±2.5 % of a step)',
    );
  });

  it('has no noise of single steps, and nothing where there is nothing to compare with', () => {
    const single = {plainNs: [100], noneNs: [120], options: {shapes: [110]}};
    expect(optionCosts(single)).toEqual([
      {option: 'shapes', percent: expect.closeTo(-10, 10) as number, interval: null},
    ]);
    expect(optionCostsText(optionCosts(single))).toBe('shapes not measurable');
    expect(optionCosts({...single, plainNs: []})).toEqual([]);
    expect(optionCosts({...single, noneNs: []})).toEqual([]);
    expect(optionCosts({...single, plainNs: [0]})).toEqual([]);
  });
});

it('parseOptionSteps(fields) takes what is in its form alone', () => {
  const steps = {plainNs: [1], noneNs: [2], options: {shapes: [3], stacks: [], memory: ['4'], other: [5]}};
  expect(parseOptionSteps({v: 1, ...steps})).toEqual({plainNs: [1], noneNs: [2], options: {shapes: [3]}});
  expect(parseOptionSteps({...steps, plainNs: [-1]})).toBeNull();
  expect(parseOptionSteps({...steps, options: null})).toBeNull();
});

it.each([
  [12.4, 3.4, '+12 % (±3)'],
  [-1.25, 0.44, '−1.3 % (±0.4)'],
  // No digits that the noise does not have.
  [4.8, 184.2, '+5 % (±184)'],
  [9.94, null, '+9.9 %'],
  [-9.96, null, '−10 %'],
])('formatChange(%d, %d) is %s', (percent, noise, text) => {
  expect(formatChange(percent, noise)).toBe(text);
});
