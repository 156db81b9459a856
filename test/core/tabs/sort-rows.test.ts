import {describe, expect, it} from 'vitest';
import type {Cell} from '../../../src/core/reports/report.js';
import {sortRows, type SortKey} from '../../../src/core/tabs/sort-rows.js';
import {seededRandom} from '../../support/random.js';

/** The order of two cells as people are told it: numbers, texts, then what is absent, whichever way a column is sorted. */
function compared(a: Cell, b: Cell, isDescending: boolean): number {
  const classOf = (cell: Cell) => (cell === null ? 2 : typeof cell === 'string' ? 1 : 0);
  if (classOf(a) !== classOf(b)) return classOf(a) - classOf(b);
  if (a === b || a === null || b === null) return 0;
  return (a < b ? -1 : 1) * (isDescending ? -1 : 1);
}

describe('sortRows(rows, cells, sort)', () => {
  it('sorts as comparing cell by cell does, for random tables and keys', () => {
    const random = seededRandom(5);
    const cell = (): Cell => {
      const kind = random();
      const value = Math.floor(random() * 6) - 2;
      return kind < 0.2 ? null : kind < 0.5 ? `text ${String(value)}` : kind < 0.9 ? value / 4 : value * 1e300;
    };
    for (let table = 0; table < 200; table++) {
      const cells = Array.from({length: 1 + Math.floor(random() * 60)}, () => [cell(), cell(), cell()]);
      const rows = [...cells.keys()].filter(() => random() < 0.8);
      const sort: SortKey[] = [0, 1, 2]
        .filter(() => random() < 0.6)
        .map(column => ({column, isDescending: random() < 0.5}));
      const expected = rows.toSorted((a, b) => {
        for (const {column, isDescending} of sort) {
          const order = compared(cells[a]?.[column] ?? null, cells[b]?.[column] ?? null, isDescending);
          if (order !== 0) return order;
        }
        return a - b;
      });
      expect(sortRows(rows, cells, sort)).toEqual(expected);
    }
  });

  it('sorts texts by code unit', () => {
    const cells = ['b', 'B', 'ä', 'a', 'Z', '\u{1f600}', '\ufb01'].map(text => [text]);
    const sorted = sortRows([...cells.keys()], cells, [{column: 0, isDescending: false}]);
    expect(sorted.map(row => cells[row]?.[0])).toEqual(cells.flat().sort());
  });
});
