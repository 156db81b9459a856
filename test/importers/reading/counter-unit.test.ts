import {describe, expect, it} from 'vitest';
import {counterUnit} from '../../../src/importers/reading/counter-unit.js';
import {comparedWithUsualWork} from '../../support/usual-work.js';

describe('counterUnit(counterName)', () => {
  it.each([
    ['SMs Active [Throughput %]', 'SMs Active [Throughput %]', 'percent', 1],
    ['GPC Clock Frequency [MHz]', 'GPC Clock Frequency', 'hertz', 1e6],
    ['Board Power [W]', 'Board Power', 'watts', 1],
    ['Compute Warps in Flight [Avg Warps per Cycle]', 'Compute Warps in Flight [Avg Warps per Cycle]', null, 1],
    ['Power (mW)', 'Power', 'watts', 1e-3],
    ['Reserved (bytes)', 'Reserved', 'bytes', 1],
    ['[%]', '[%]', null, 1],
    ['plain', 'plain', null, 1],
    ['Power (W) of (mW)', 'Power (W) of', 'watts', 1e-3],
    ['Power [W) (W]', 'Power [W) (W]', null, 1],
    ['', '', null, 1],
  ] as const)('%s', (counterName, name, unit, scale) => {
    expect(counterUnit(counterName)).toEqual({name, unit, scale});
  });

  it.each(['(', '[', ' ', '()', '[ ]'])('takes a name of many "%s" in linear time', async part => {
    const name = part.repeat(1e6);
    const {result, times} = await comparedWithUsualWork(() => counterUnit(name));
    expect(result).toEqual({name, unit: null, scale: 1});
    expect(times).toBeLessThan(10);
  });
});
