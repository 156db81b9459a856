import {describe, expect, it} from 'vitest';
import type {ReportColumn} from '../../../src/core/reports/report.js';
import {exactCell, shownCell} from '../../../src/core/tabs/shown-cell.js';

const column = (unit: ReportColumn['unit'], decimals?: number): ReportColumn => ({
  ...{title: 'x', unit, definition: ''},
  ...(decimals !== undefined && {decimals}),
});

describe('shownCell(cell, column)', () => {
  it.each([
    [566_759_477, column('ns'), '567 ms', '566,759,477 ns'],
    [1_211_823_000.5, column('ns', 1), '1.21 s', '1,211,823,000.5 ns'],
    [40.53, column('percent', 1), '40.5 %', '40.53 %'],
    [18_262.4887664, column('megabytesPerSecond', 3), '18.3 GB/s', '18,262.4887664 MB/s'],
    [0.262144, column('megabytes', 3), '262 kB', '0.262144 MB'],
    [1_234_567, column('none'), '1,234,567', '1,234,567'],
    [-1234, column('none'), '-1,234', '-1,234'],
    [18.262488766401056, column('none'), '18.26', '18.262488766401056'],
    [12_345.678, column('none', 1), '12,345.7', '12,345.678'],
    [0, column('ns'), '0 ns', '0 ns'],
    [null, column('ns'), '', ''],
    ['gemm', column('none'), 'gemm', 'gemm'],
  ])('%s in %o reads %s, exactly %s', (cell, of, shown, exact) => {
    expect(shownCell(cell, of)).toBe(shown);
    expect(exactCell(cell, of)).toBe(exact);
  });
});
