import {describe, expect, it} from 'vitest';
import {KeyedRows} from '../../../src/core/table/keyed-rows.js';
import {PairIndex} from '../../../src/core/table/pair-index.js';
import {seededRandom} from '../../support/random.js';

function rowsOf(index: KeyedRows, key: number, group?: number): number[] {
  const slot = index.slot(key, group);
  return slot < 0 ? [] : [...index.rows.subarray(index.offsets[slot], index.offsets[slot + 1])];
}

describe('KeyedRows', () => {
  it.each([
    ['close together', 1],
    ['some apart', 50],
    ['far apart', 2 ** 40 + 1],
  ])('gives the rows of each key and group, ascending, for keys %s', (_, factor) => {
    const random = seededRandom(7);
    const keys = Float64Array.from({length: 500}, () =>
      random() < 0.1 ? (random() < 0.5 ? NaN : -1) : Math.floor(random() * 90 - 20) * factor,
    );
    const groups = Int32Array.from({length: 500}, () => Math.floor(random() * 3));
    const index = new KeyedRows(keys, groups);
    for (let group = 0; group < 4; group++) {
      for (let key = -25; key < 95; key++) {
        const expected = [...keys.keys()].filter(
          row => keys[row] === key * factor && groups[row] === group && keys[row] !== -1,
        );
        expect(rowsOf(index, key * factor, group)).toEqual(expected);
      }
    }
  });

  it.each([
    ['a slot each', 1, 0],
    ['bits', 50, 0],
    ['a slot each, past 2^53', 2, 2 ** 53],
    ['bits, past 2^53', 50, 2 ** 53],
    ['hashes', 2 ** 40, 0],
  ])('has no slot for a key between two others, which have %s', (_, factor, from) => {
    const keys = [0, 1, 2, 4, 5, 2, 4];
    const groups = [0, 0, 0, 0, 0, 1, 1];
    const idOf = (key: number) => from + key * factor;
    // Each twice: there are at most two numbers for each row.
    const index = new KeyedRows(Float64Array.from([...keys, ...keys], idOf), Int32Array.from([...groups, ...groups]));
    for (const [at, key] of keys.entries()) {
      expect(rowsOf(index, idOf(key), groups[at])).toEqual([at, keys.length + at]);
    }
    for (const key of [-2, 3, 6]) expect(index.slot(idOf(key))).toBe(-1);
    for (const key of [0, 3, 5]) expect(index.slot(idOf(key), 1)).toBe(-1);
  });

  it('finds rows whose keys are no whole numbers, too', () => {
    const index = new KeyedRows(Float64Array.of(0.5, 1.5, 3, 0.5), Int32Array.of(0, 1, 1, 0));
    expect([rowsOf(index, 0.5), rowsOf(index, 1.5, 1), rowsOf(index, 3, 1)]).toEqual([[0, 3], [1], [2]]);
    const among = new KeyedRows(Float64Array.of(1, 2, 3.5, 7.5, 9));
    expect([1, 2, 3.5, 7.5, 9].map(key => rowsOf(among, key))).toEqual([[0], [1], [2], [3], [4]]);
  });

  it('has no rows for -1, for what is not a number, and in an empty table', () => {
    const index = new KeyedRows(Float64Array.of(-1, NaN, 3));
    expect([rowsOf(index, -1), rowsOf(index, NaN), rowsOf(index, 3), rowsOf(index, 4)]).toEqual([[], [], [2], []]);
    expect(new KeyedRows(new Float64Array(0)).slot(0)).toBe(-1);
  });
});

describe('PairIndex', () => {
  it('keeps every value while it grows', () => {
    const index = new PairIndex();
    for (let i = 0; i < 5000; i++) index.set((i % 70) - 1, Math.floor(i / 70), i);
    for (let i = 0; i < 5000; i++) expect(index.get((i % 70) - 1, Math.floor(i / 70))).toBe(i);
    expect([index.get(70, 0), index.get(-1, 100), index.length]).toEqual([-1, -1, 5000]);
  });

  it('replaces a value', () => {
    const index = new PairIndex();
    index.set(1, 2, 3);
    index.set(1, 2, 0);
    expect([index.get(1, 2), index.length]).toEqual([0, 1]);
  });
});
