import {describe, expect, it} from 'vitest';
import {ResultTable} from '../../src/sql/result-table.js';

function table(): ResultTable {
  const created = new ResultTable(['name', 'n']);
  created.add([
    ['b', 2],
    ['a, "x"', 10n ** 17n],
    [null, 2],
    ['c|d', null],
  ]);
  return created;
}

const order = (of: ResultTable) => of.texts({from: 0, to: 10}).map(([name]) => name);

describe('ResultTable', () => {
  it('texts(span) gives rows in the order of the view, and none behind the last', () => {
    expect(table().texts({from: 2, to: 9})).toEqual([
      [null, '2'],
      ['c|d', null],
    ]);
    expect(table().texts({from: -5, to: 0})).toEqual([]);
    expect(table().isNumeric).toEqual([false, true]);
  });

  it('arrange(sort, filter) puts absent values last in either direction, and equal ones as they came', () => {
    const own = table();
    own.arrange([{column: 1, isDescending: false}], '');
    expect(order(own)).toEqual(['b', null, 'a, "x"', 'c|d']);
    own.arrange([{column: 1, isDescending: true}], '');
    expect(order(own)).toEqual(['a, "x"', 'b', null, 'c|d']);
    own.arrange([{column: 0, isDescending: false}], '');
    expect(order(own)).toEqual(['a, "x"', 'b', 'c|d', null]);
    own.arrange([], '');
    expect(order(own)).toEqual(['b', 'a, "x"', null, 'c|d']);
  });

  it('arrange(sort, filter) puts numbers before texts', () => {
    const own = new ResultTable(['x']);
    own.add([['b'], [3], ['a'], [2.5]]);
    own.arrange([{column: 0, isDescending: false}], '');
    expect(order(own)).toEqual(['2.5', '3', 'a', 'b']);
  });

  it('arrange(sort, filter) keeps rows with a text in any cell, by several columns, and copies those alone', () => {
    const own = table();
    own.arrange(
      [
        {column: 1, isDescending: false},
        {column: 0, isDescending: true},
      ],
      '',
    );
    expect(order(own)).toEqual(['b', null, 'a, "x"', 'c|d']);
    own.arrange([{column: 0, isDescending: true}], 'C|');
    expect([own.shownCount, own.length, order(own)]).toEqual([1, 4, ['c|d']]);
    expect(own.copy('csv')).toBe('name,n\nc|d,\n');
    own.arrange([], '2');
    expect(order(own)).toEqual(['b', null]);
    own.arrange([], '');
    expect(own.shownCount).toBe(4);
  });

  it('copy(format) writes CSV, Markdown and lines with tabs', () => {
    expect(table().copy('csv')).toBe('name,n\nb,2\n"a, ""x""",100000000000000000\n,2\nc|d,\n');
    expect(table().copy('markdown')).toContain('| name | n |\n| --- | ---: |\n| b | 2 |\n');
    expect(table().copy('markdown')).toContain('| c\\|d |  |');
    expect(table().copy('text', {from: 0, to: 2})).toBe('b\t2\na, "x"\t100000000000000000');
  });
});
