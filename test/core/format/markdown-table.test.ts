import {expect, it} from 'vitest';
import {markdownTable} from '../../../src/core/format/markdown-table.js';

it('markdownTable(titles, isNumeric, rows) aligns columns of numbers to the right, and ends with its last row', () => {
  expect(markdownTable(['Name', 'Count'], [false, true], [['gemm', '3']])).toBe(
    '| Name | Count |\n| --- | ---: |\n| gemm | 3 |',
  );
  expect(markdownTable(['Name'], [false], [])).toBe('| Name |\n| --- |');
});
