// @vitest-environment jsdom
import {beforeEach, expect, it} from 'vitest';
import {plainCell, type LayoutTable} from '../../src/core/benchmark/layout-table.js';
import {completePage} from '../support/page.js';

completePage();
const {ColumnLayouts} = await import('../../webview/shared/grid/column-layouts.js');
const {LayoutGrid} = await import('../../webview/benchmark/layout-grid.js');

const column = (group: string, title: string, isNumber = true) => ({group, title, isNumber});
const table: LayoutTable = {
  title: 'Times',
  columns: [column('', 'Size', false), column('Forward', 'fp32 (ms)'), column('Backward', 'fp32 (ms)')],
  rows: [
    [plainCell('small'), plainCell('9.5 ± 0.1', 1, 9.5), plainCell('20.0', 2, 20)],
    [plainCell('<b>large</b>'), plainCell('100.0', 3, 100), {...plainCell('out of memory', 4), tone: 'problem'}],
  ],
};
const selected: number[] = [];
let grid = new LayoutGrid({layouts: new ColumnLayouts(), copy: () => undefined}, id => selected.push(id));

beforeEach(() => {
  selected.length = 0;
  grid = new LayoutGrid({layouts: new ColumnLayouts(), copy: () => undefined}, id => selected.push(id));
  document.body.replaceChildren(grid.element);
  grid.show(table, null);
});

const cells = () => [...document.querySelectorAll<HTMLElement>('.body .cell')];
const texts = () => cells().map(cell => cell.textContent);
const headers = () => [...document.querySelectorAll<HTMLElement>('.head .cell')];
const press = (key: string) =>
  document.querySelector('[role=grid]')?.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));

it('selects the measurement of a cell by a click or Enter, and marks all of its cells', () => {
  cells()[0]?.click();
  expect(selected).toEqual([]);
  press('ArrowRight');
  press('ArrowRight');
  press('Enter');
  expect(selected).toEqual([2]);
  cells()[5]?.click();
  expect(selected).toEqual([2, 4]);
  grid.mark(4);
  expect(cells().map(cell => cell.classList.contains('chosen'))).toEqual([false, false, false, false, false, true]);
  expect(cells()[5]?.className).toContain('problem');
});

it('sorts columns of one title apart, by their figures, with the group in their names', () => {
  expect(headers().map(header => header.getAttribute('aria-label'))).toEqual([
    null,
    'Forward fp32 (ms)',
    'Backward fp32 (ms)',
  ]);
  headers()[1]?.click();
  expect(headers().map(header => header.getAttribute('aria-sort'))).toEqual(['none', 'descending', 'none']);
  expect(texts()[0]).toBe('<b>large</b>');
  expect(grid.shownTable.rows[0]?.[0]?.text).toBe('<b>large</b>');
  // What has no figure is last, either way.
  headers()[2]?.click();
  expect(texts()[0]).toBe('small');
  headers()[2]?.click();
  expect(texts()[0]).toBe('small');
});

it('leaves the active cell where it is while results come', () => {
  press('ArrowDown');
  press('ArrowRight');
  const active = () => document.querySelector('.body .cell.active')?.textContent;
  expect(active()).toBe('100.0');
  grid.show({...table, rows: [...table.rows, [plainCell('huge'), plainCell(''), plainCell('')]]}, null);
  expect(active()).toBe('100.0');
  expect(texts()).toContain('huge');
});
