import {expect, it} from 'vitest';
import type {Cell, ColumnUnit, ReportColumn} from '../../../src/core/reports/report.js';
import {shownOrder} from '../../../src/core/tabs/row-order.js';

const column = (unit: ColumnUnit): ReportColumn => ({title: unit, unit, definition: ''});
const columns = [column('percent'), column('ns'), column('none')];

function orderOf(cells: readonly (readonly Cell[])[], rows = cells.map((_, row) => row)) {
  return shownOrder(columns, cells, rows);
}

it.each<[string, Cell[][], ReturnType<typeof shownOrder>]>([
  [
    'of times before shares',
    [
      [60, 600, 'b'],
      [40, 400, 'a'],
    ],
    {column: 1, isDescending: true},
  ],
  [
    'of the first column without times',
    [
      [1, 5, 'b'],
      [2, 9, 'a'],
      [3, 7, 'c'],
    ],
    {column: 0, isDescending: false},
  ],
  [
    'of texts',
    [
      [2, 5, 'a'],
      [1, 9, 'b'],
      [3, 7, 'b'],
    ],
    {column: 2, isDescending: false},
  ],
  [
    'none where no column has one',
    [
      [2, 5, 'a'],
      [1, 9, 'c'],
      [3, 7, 'b'],
    ],
    null,
  ],
  [
    'none of equal rows',
    [
      [1, 1, 'a'],
      [1, 1, 'a'],
    ],
    null,
  ],
  ['none of one row', [[1, 1, 'a']], null],
  [
    'none where a cell is absent',
    [
      [2, 5, 'c'],
      [null, null, 'a'],
      [1, 4, 'b'],
    ],
    null,
  ],
])('shownOrder(columns, cells, rows) is that %s', (_, cells, expected) => {
  expect(orderOf(cells)).toEqual(expected);
});

it('shownOrder(columns, cells, rows) goes by the rows that are shown', () => {
  const cells = [
    [1, 1, 'c'],
    [9, 9, 'a'],
    [2, 2, 'b'],
  ];
  expect(orderOf(cells)).toBeNull();
  expect(orderOf(cells, [1, 2, 0])).toEqual({column: 1, isDescending: true});
});
