import {describe, expect, it} from 'vitest';
import {PairIndex} from '../../../src/core/table/pair-index.js';
import {seededRandom} from '../../support/random.js';

describe('PairIndex', () => {
  it.each([
    ['few pairs', 40, 30],
    ['pairs of many numbers', 2 ** 20, 2 ** 20],
  ])('knows what was set, of %s', (_, firsts, seconds) => {
    const random = seededRandom(5);
    const known = new Map<string, number>();
    const index = new PairIndex(firsts, seconds);
    for (let i = 0; i < 3000; i++) {
      const [first, second] = [Math.floor(random() * firsts), Math.floor(random() * seconds)];
      const key = `${String(first)} ${String(second)}`;
      expect(index.get(first, second)).toBe(known.get(key) ?? -1);
      index.set(first, second, i);
      known.set(key, i);
      expect(index.length).toBe(known.size);
    }
  });

  it('takes -1 for the first of a pair where nothing is said of how many there are', () => {
    const index = new PairIndex();
    index.set(-1, 4, 7);
    expect([index.get(-1, 4), index.get(0, 4), index.get(-1, 0)]).toEqual([7, -1, -1]);
  });

  it('may be of no pairs', () => {
    expect(new PairIndex(0, 0).length).toBe(0);
  });
});
