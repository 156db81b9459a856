import {expect, it} from 'vitest';
import {nthSmallest} from '../../../src/core/base/nth-smallest.js';
import {seededRandom} from '../../support/random.js';

it('nthSmallest(numbers, nth) is what stands there when they are sorted', () => {
  const random = seededRandom(11);
  for (const length of [1, 2, 3, 10, 101]) {
    for (const kinds of [2, 7, 1e9]) {
      const numbers = Float64Array.from({length}, () => Math.floor(random() * kinds) - kinds / 2);
      const found = [...numbers].map((_, nth) => nthSmallest(Float64Array.from(numbers), nth));
      expect(found).toEqual([...numbers.toSorted()]);
    }
  }
  expect(nthSmallest(Float64Array.of(Infinity, -Infinity, 0), 1)).toBe(0);
});

it('nthSmallest(numbers, nth) can be asked again of what it put in another order', () => {
  const numbers = Float64Array.from({length: 1000}, (_, at) => (at * 7919) % 1000);
  expect([nthSmallest(numbers, 25), nthSmallest(numbers, 974), nthSmallest(numbers, 25)]).toEqual([25, 974, 25]);
});
