import {describe, expect, it} from 'vitest';
import {estimateTable} from '../../../src/core/estimate/estimate-table.js';
import {notebookText, pandasNumber} from '../../../src/core/estimate/notebook-text.js';
import {estimateOf, line, shape} from '../../support/estimates.js';
import {notebookTables} from '../../support/notebook-tables.js';
import {hasSeeds} from '../../support/seeds.js';

const printed = estimateOf(shape('gpt3-175b'), line(4), {variant: 'printed'});

describe.skipIf(!hasSeeds)('estimate(…) in the variant printed', () => {
  const tables = hasSeeds ? notebookTables() : [];

  it.each([
    ['mlp', 0, 5],
    ['attention', 1, 9],
  ] as const)('prints every cell of the notebook’s table of %s', (name, at, rowCount) => {
    const expected = tables[at];
    const block = printed.blocks.find(candidate => candidate.name === name);
    if (!expected || !block) throw new Error('a table is missing');
    const table = estimateTable(block);
    expect(expected.rows).toHaveLength(rowCount);
    expect(expected.columns).toHaveLength(31);
    expect(Object.keys(table.rows[0] ?? {})).toEqual(expected.columns);
    const text = (cell: string | number | null) => (typeof cell === 'number' ? pandasNumber(cell) : (cell ?? ''));
    expect(table.rows.map(row => Object.values(row).map(text))).toEqual(expected.rows);
    expect(expected.sums).toHaveLength(9);
    expect(Object.entries(table.sums).map(([key, value]) => [key, value.toFixed(6)])).toEqual(expected.sums);
    expect(String(table.commFraction)).toBe(expected.fraction);
  });

  it('prints 454 cells', () => {
    const cells = tables.flatMap(({rows, sums, fraction}) => [...rows.flat(), ...sums, fraction]);
    expect(cells).toHaveLength(454);
  });
});

describe('notebookText(estimate)', () => {
  it('begins as the notebook does', () => {
    expect(notebookText(printed).split('\n').slice(0, 4)).toEqual([
      'model: batch size = 1, seq length = 2048, embed = 12288, attention heads = 96, depth = 96',
      'parallelization: m1 = 4, m2 = 1',
      '',
      '************** MLP layer estimates **************',
    ]);
  });

  it('names the degrees of other parallelisms', () => {
    const grid = {kind: '2D', rows: 2, columns: 2, depth: 1} as const;
    expect(notebookText(estimateOf(shape('gpt3-175b', {batch: 2}), grid))).toContain(
      'parallelization: kind = 2D, rows = 2, columns = 2, depth = 1\n',
    );
  });
});

describe('pandasNumber(value)', () => {
  it.each([
    [0.618475290624, '0.618475'],
    [1.2367995, '1.2368'],
    [2.5165824e-5, '2.5e-05'],
    [6.291456e-6, '6e-06'],
    [0.000323, '0.000323'],
    [0.0001, '0.0001'],
    [1e-7, '0.0'],
    [0, '0.0'],
    [4, '4.0'],
    [17.5, '17.5'],
  ])('writes %d as %s', (value, text) => {
    expect(pandasNumber(value)).toBe(text);
  });
});
