import {describe, expect, it} from 'vitest';
import {GroupedValues, groupSizes, groupStatistics, statisticsOf} from '../../../src/core/figures/group-statistics.js';
import {roundedToTenth} from '../../../src/core/reports/report.js';
import {seededRandom} from '../../support/random.js';

/** One group's figures, to one decimal as reports show them. */
function figures(...values: number[]): (number | null)[] {
  const statistics = groupStatistics(Float64Array.from(values), {groupOf: new Int32Array(values.length), length: 1});
  const {total, mean, median, min, max, standardDeviation} = statistics;
  return [total, mean, median, min, max, standardDeviation].map(column => roundedToTenth(column[0] ?? NaN));
}

describe('groupStatistics(values, groups)', () => {
  it('gives what nsys printed for known durations', () => {
    expect(figures(100, 1, 100)).toEqual([201, 67, 100, 1, 100, 57.2]);
    expect(figures(11, 150)).toEqual([161, 80.5, 80.5, 11, 150, 98.3]);
    expect(figures(100, 100, 20, 100)).toEqual([320, 80, 100, 20, 100, 40]);
    expect(figures(7)).toEqual([7, 7, 7, 7, 7, 0]);
  });

  it('counts no NaN and no row of group -1, and has NaN for a group without values', () => {
    const statistics = groupStatistics(Float64Array.of(5, NaN, 7, 9), {groupOf: Int32Array.of(0, 0, -1, 0), length: 2});
    expect([...statistics.count]).toEqual([2, 0]);
    expect([...statistics.total]).toEqual([14, 0]);
    expect([...statistics.median]).toEqual([7, NaN]);
  });

  it.each([
    ['random', (random: () => number) => Math.floor(random() * 1e9)],
    ['repeating', (random: () => number) => Math.floor(random() * 3)],
    ['ascending', (_: () => number, i: number) => i],
    ['descending', (_: () => number, i: number) => -i],
    ['rising and falling', (_: () => number, i: number) => (i % 2 === 0 ? i : 10_000 - i)],
  ])('selects the median that sorting gives, of %s values', (_, valueAt) => {
    const random = seededRandom(7);
    for (const length of [1, 2, 3, 31, 32, 33, 34, 100, 101, 4096, 10_001]) {
      const values = Float64Array.from({length}, (__, i) => valueAt(random, i));
      const sorted = values.slice().sort();
      const [below = 0, above = 0] = [sorted[(length - 1) >> 1], sorted[length >> 1]];
      const {median, standardDeviation} = groupStatistics(values, {groupOf: new Int32Array(length), length: 1});
      expect(median[0]).toBe((below + above) / 2);
      expect(standardDeviation[0]).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('GroupedValues', () => {
  it('gives the same figures as values beside their groups, where there is more room than values', () => {
    const random = seededRandom(3);
    const length = 7;
    const groupOf = Int32Array.from({length: 5000}, () => Math.floor(random() * (length + 1)) - 1);
    const values = Float64Array.from(groupOf, () => (random() < 0.1 ? NaN : Math.floor(random() * 1e6)));
    const sizes = groupSizes({groupOf, length});
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(groupOf.filter(group => group >= 0).length);
    const grouped = new GroupedValues(sizes.map(size => size + 3));
    groupOf.forEach((group, row) => {
      if (group >= 0) grouped.add(group, values[row] ?? NaN);
    });
    expect(grouped.takeStatistics()).toEqual(groupStatistics(values, {groupOf, length}));
  });

  it('may have no groups, and groups without values', () => {
    expect(new GroupedValues([]).takeStatistics().count.length).toBe(0);
    const {count, total, mean} = new GroupedValues([2, 0]).takeStatistics();
    expect([[...count], [...total], [...mean]]).toEqual([
      [0, 0],
      [0, 0],
      [NaN, NaN],
    ]);
  });
});

it('statisticsOf(groups, valuesOf) takes values that stand in one place in turn', () => {
  const place = new Float64Array(3);
  const lists = [[3, 1, 2], [], [10, 20]];
  const {count, total, median, max} = statisticsOf(lists.length, group => {
    place.set(lists[group] ?? []);
    return place.subarray(0, lists[group]?.length);
  });
  expect([[...count], [...total], [...median], [...max]]).toEqual([
    [3, 0, 2],
    [6, 0, 30],
    [2, NaN, 15],
    [3, NaN, 20],
  ]);
});

describe('roundedToTenth(value)', () => {
  it('rounds a half in decimals up, as SQLite does', () => {
    expect([29962.05, 3261.85, 80.25, 1.45, 0.04, 12].map(roundedToTenth)).toEqual([29962.1, 3261.9, 80.3, 1.5, 0, 12]);
    expect(roundedToTenth(NaN)).toBeNull();
  });
});
