// @vitest-environment jsdom
import {beforeEach, expect, it} from 'vitest';
import type {SortKey} from '../../src/core/tabs/sort-rows.js';
import type {GridTable} from '../../webview/shared/grid/grid-table.js';
import {completePage} from '../support/page.js';

completePage();
const {ColumnLayouts} = await import('../../webview/shared/grid/column-layouts.js');
const {Grid} = await import('../../webview/shared/grid/grid.js');

type Row = readonly [name: string, ns: string, count: string];
const sorts: (readonly SortKey[])[] = [];
const opened: unknown[] = [];
const copied: unknown[] = [];
let filtered = 0;
let layouts = new ColumnLayouts();
let grid = made();

function made() {
  return new Grid<Row>(
    {
      sort: keys => {
        sorts.push(keys);
        grid.show(table(keys));
      },
      filter: () => filtered++,
      open: (row, column) => opened.push([row[0], column]),
      copyCell: text => copied.push(text),
      copyRows: (from, to) => copied.push([from, to]),
    },
    layouts,
  );
}

function table(sort: readonly SortKey[] = [{column: 1, isDescending: true}]): GridTable<Row> {
  const titles = ['Name', 'Time', 'Count'];
  return {
    ...{key: 'Kernels', label: 'Kernels', rowCount: 1000, sort},
    columns: titles.map(title => ({id: title, title, isText: title === 'Name'})),
    row: at => [`<b>${String(at)}`, `${String(at)} ns`, '1'],
    cell: (row, column) => ({text: row[column] ?? ''}),
    longest: () => 8,
  };
}

beforeEach(() => {
  document.body.replaceChildren();
  for (const list of [sorts, opened, copied]) list.length = 0;
  filtered = 0;
  layouts = new ColumnLayouts();
  grid = made();
  document.body.append(grid.element);
  grid.show(table());
});

const element = () => document.querySelector<HTMLElement>('[role=grid]') ?? document.body;
const headers = () => [...document.querySelectorAll('.head-title')].map(one => one.textContent);
const press = (key: string, held: KeyboardEventInit = {}) =>
  element().dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true, ...held}));
const menu = () => [...document.querySelectorAll<HTMLElement>('.menu:not([hidden]) .menu-item')];
const choose = (text: string) =>
  menu()
    .find(item => item.textContent === text)
    ?.click();
const active = () => document.getElementById(element().getAttribute('aria-activedescendant') ?? '');

it('has the rows in sight alone in the page, names as text, and says where the active cell is', () => {
  expect(document.querySelectorAll('.body .row').length).toBe(10);
  expect(document.querySelector('b')).toBeNull();
  expect(element().getAttribute('aria-rowcount')).toBe('1001');
  expect(active()?.textContent).toBe('<b>0');
  press('ArrowDown');
  press('ArrowRight');
  expect(active()?.textContent).toBe('1 ns');
  press('Enter');
  expect(opened).toEqual([['<b>1', 1]]);
});

it('sorts from the header by keys, shows the arrow, and stays in the header', () => {
  press('Home', {ctrlKey: true});
  press('ArrowRight');
  press('Enter');
  expect(sorts).toEqual([[{column: 1, isDescending: false}]]);
  expect(active()?.getAttribute('aria-sort')).toBe('ascending');
  expect(active()?.textContent).toContain('↑');
  press('ArrowRight');
  press('Enter', {shiftKey: true});
  expect(sorts[1]).toEqual([
    {column: 1, isDescending: false},
    {column: 2, isDescending: true},
  ]);
});

it('moves, hides and shows columns by the menu of a header and by keys, and keeps that', () => {
  press('ArrowRight');
  press('F10', {shiftKey: true});
  expect(menu()[0]).toBe(document.activeElement);
  choose('Move right');
  expect(headers()).toEqual(['Name', 'Count', 'Time']);
  press('ArrowLeft', {altKey: true, shiftKey: true});
  expect(headers()).toEqual(['Count', 'Name', 'Time']);
  press('ContextMenu');
  choose('Hide Count');
  expect(headers()).toEqual(['Name', 'Time']);
  expect(element().getAttribute('aria-colcount')).toBe('2');
  press('ContextMenu');
  expect(
    menu()
      .find(({textContent}) => textContent === 'Count')
      ?.getAttribute('aria-checked'),
  ).toBe('false');
  choose('Count');
  expect(headers()).toEqual(['Count', 'Name', 'Time']);
  const again = new ColumnLayouts();
  again.restore(JSON.parse(JSON.stringify(layouts.stored)));
  expect(again.of('Kernels').order).toEqual(['Count', 'Name', 'Time']);
  press('ContextMenu');
  choose('Reset columns');
  expect(headers()).toEqual(['Name', 'Time', 'Count']);
});

it('sorts by what can be seen when the column of the order is hidden', () => {
  press('ArrowRight');
  press('ContextMenu');
  choose('Hide Time');
  expect(sorts).toEqual([[{column: 2, isDescending: true}]]);
  expect(headers()).toEqual(['Name', 'Count']);
});

it('drops a title on another header', () => {
  const fire = (target: Element | undefined, type: string) =>
    target?.dispatchEvent(new Event(type, {bubbles: true, cancelable: true}));
  const titles = [...document.querySelectorAll('.head-title')];
  fire(titles[2], 'dragstart');
  expect(fire(titles[0], 'dragover')).toBe(false);
  fire(titles[0], 'drop');
  expect(headers()).toEqual(['Count', 'Name', 'Time']);
});

it('selects rows with Shift, copies a cell or rows, and leads to the filter', () => {
  press('c', {ctrlKey: true});
  press('ArrowDown', {shiftKey: true});
  press('ArrowDown', {shiftKey: true});
  expect(document.querySelectorAll('.row[aria-selected=true]').length).toBe(3);
  press('c', {ctrlKey: true});
  press('Escape');
  expect(document.querySelectorAll('.row[aria-selected=true]').length).toBe(1);
  press('a', {ctrlKey: true});
  press('c', {metaKey: true});
  expect(copied).toEqual(['<b>0', [0, 3], [0, 1000]]);
  press('f', {ctrlKey: true});
  expect(filtered).toBe(1);
});
