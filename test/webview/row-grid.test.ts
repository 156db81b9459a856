// @vitest-environment jsdom
import {beforeEach, expect, it} from 'vitest';
import {completePage} from '../support/page.js';

completePage();
const {ColumnLayouts} = await import('../../webview/shared/grid/column-layouts.js');
const {RowGrid} = await import('../../webview/shared/grid/row-grid.js');

interface Row {
  readonly name: string;
  readonly ns: number | null;
}
const columns = [
  {title: 'Name', isText: true, text: ({name}: Row) => name},
  {title: 'Time', value: ({ns}: Row) => ns, text: ({ns}: Row) => (ns === null ? '–' : `${String(ns)} ns`)},
] as const;
const rows: readonly Row[] = [
  {name: 'gemm', ns: 100},
  {name: 'Copy | <b>', ns: 9},
  {name: 'relu', ns: null},
];
let layouts = new ColumnLayouts();
const opened: string[] = [];
const copied: string[] = [];

function shown(of = rows) {
  const context = {layouts, copy: (text: string) => copied.push(text)};
  const grid = new RowGrid('Kernels', columns, of, context, ({name}) => opened.push(name));
  document.body.replaceChildren(grid.element);
  return grid;
}

beforeEach(() => {
  layouts = new ColumnLayouts();
  opened.length = copied.length = 0;
});

const element = () => document.querySelector<HTMLElement>('[role=grid]') ?? document.body;
const names = () => [...document.querySelectorAll('.body .row .cell:first-child')].map(cell => cell.textContent);
const header = (at: number) => document.querySelectorAll<HTMLElement>('.head .cell').item(at);
const press = (key: string, held: KeyboardEventInit = {}) =>
  element().dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true, ...held}));

it('shows by which column rows stand as they came, and sorts numbers by value, what is absent last', () => {
  shown();
  expect(header(1).getAttribute('aria-sort')).toBe('descending');
  header(1).click();
  expect(names()).toEqual(['Copy | <b>', 'gemm', 'relu']);
  expect(header(1).getAttribute('aria-sort')).toBe('ascending');
  header(1).click();
  expect(names()).toEqual(['gemm', 'Copy | <b>', 'relu']);
  shown(rows.toReversed());
  expect(names()).toEqual(['gemm', 'Copy | <b>', 'relu']);
});

it('says nothing of an order that no column tells', () => {
  shown([rows[1], rows[0]] as Row[]);
  expect([0, 1].map(at => header(at).getAttribute('aria-sort'))).toEqual(['none', 'none']);
});

it('opens a row by a click, and filters by Control and F until Escape', () => {
  shown();
  document.querySelector<HTMLElement>('.body .cell')?.click();
  expect(opened).toEqual(['gemm']);
  press('f', {ctrlKey: true});
  const field = document.querySelector('input');
  expect(document.activeElement).toBe(field);
  if (field) field.value = 'COPY';
  field?.dispatchEvent(new Event('input'));
  expect(names()).toEqual(['Copy | <b>']);
  field?.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', cancelable: true}));
  expect(names().length).toBe(3);
  expect(document.activeElement).toBe(element());
});

it('copies selected rows and the whole table as they are shown', () => {
  const grid = shown();
  header(1).click();
  press('Home', {ctrlKey: true});
  press('ArrowDown');
  press('ArrowDown', {shiftKey: true});
  press('c', {ctrlKey: true});
  expect(copied).toEqual(['Copy | <b>\t9 ns\ngemm\t100 ns']);
  expect(grid.text('csv')).toBe('Name,Time\nCopy | <b>,9 ns\ngemm,100 ns\nrelu,–\n');
  layouts.change('Kernels', {order: ['Time', 'Name']});
  expect(shown().text('markdown')).toBe(
    '| Time | Name |\n| ---: | --- |\n| 9 ns | Copy \\| \\<b> |\n| 100 ns | gemm |\n| – | relu |\n',
  );
});

it('shows other rows of the same table with its filter, and another table without', () => {
  const grid = shown();
  press('f', {ctrlKey: true});
  const field = document.querySelector('input');
  if (field) field.value = 'e';
  field?.dispatchEvent(new Event('input'));
  expect(names()).toEqual(['gemm', 'relu']);
  grid.update('Kernels', columns, [...rows, {name: 'elu', ns: 1}]);
  expect(names()).toEqual(['gemm', 'relu', 'elu']);
  grid.update('Copies', columns, rows);
  expect(names().length).toBe(3);
  expect(field?.hidden).toBe(true);
});

it('gives cells looks and names for screen readers, and tells columns of one title apart by their ids', () => {
  const of = (id: string, group: string) => ({
    ...{id, group, title: 'Time', value: ({ns}: Row) => ns, text: ({ns}: Row) => String(ns)},
    look: ({ns}: Row) => (ns === 100 ? {className: 'worst', label: '100, worst'} : {}),
  });
  const grid = new RowGrid('Runs', [of('a', 'A'), of('b', 'B')], rows, {layouts, copy: () => undefined});
  document.body.replaceChildren(grid.element);
  const worst = document.querySelectorAll('.body .worst');
  expect([...worst].map(cell => cell.getAttribute('aria-label'))).toEqual(['100, worst', '100, worst']);
  header(1).click();
  expect(layouts.of('Runs').sort).toEqual([{column: 'b', isDescending: true}]);
  expect(grid.shownRows.map(({ns}) => ns)).toEqual([100, 9, null]);
});
