import {describe, expect, it} from 'vitest';
import type {RangeStack, StackChoices} from '../../src/core/attribution/range-stack.js';
import {chartedColumn} from '../../webview/tables/charted-column.js';
import {rowActions} from '../../webview/tables/row-actions.js';
import {nextSort} from '../../webview/shared/grid/sorting.js';
import {choiceOf, stackOf} from '../../webview/tables/stack-choice.js';
import {storedRows, storedView} from '../../webview/tables/stored-view.js';
import {moveTo, rowWindow} from '../../webview/shared/grid/virtual-rows.js';

describe('rowWindow(scroll, height, row, count)', () => {
  it('has the rows in sight and ten beyond either edge', () => {
    expect(rowWindow(2200, 220, 22, 10_000)).toEqual({first: 90, end: 120});
  });

  it('ends at the edges of the table', () => {
    expect(rowWindow(0, 220, 22, 10_000)).toEqual({first: 0, end: 20});
    expect(rowWindow(219_780, 220, 22, 10_000)).toEqual({first: 9980, end: 10_000});
    expect(rowWindow(5000, 220, 22, 0)).toEqual({first: 0, end: 0});
  });
});

describe('moveTo(place, key, size)', () => {
  const size = {rows: 100, columns: 5, rowsInSight: 10};
  const none = {ctrlKey: false, metaKey: false, shiftKey: false};
  const press = (key: string, held = {}, row = 50, anchor = row) =>
    moveTo({row, column: 2, anchor}, {key, ...none, ...held}, size);

  it('moves as every grid does, up to the header in row -1', () => {
    expect(press('ArrowDown')).toEqual({row: 51, column: 2, anchor: 51});
    expect(press('PageUp')).toEqual({row: 40, column: 2, anchor: 40});
    expect(press('Home')).toEqual({row: 50, column: 0, anchor: 50});
    expect(press('End', {ctrlKey: true})).toEqual({row: 99, column: 4, anchor: 99});
    expect(press('Home', {metaKey: true})).toEqual({row: -1, column: 0, anchor: -1});
    expect(press('ArrowUp', {}, 0)).toEqual({row: -1, column: 2, anchor: -1});
    expect(press('PageDown', {}, 95)).toEqual({row: 99, column: 2, anchor: 99});
  });

  it('selects the rows passed with Shift, and never the header', () => {
    expect(press('ArrowDown', {shiftKey: true}, 50, 48)).toEqual({row: 51, column: 2, anchor: 48});
    expect(press('Home', {shiftKey: true, ctrlKey: true})).toEqual({row: 0, column: 0, anchor: 50});
  });

  it('leaves other keys alone', () => {
    expect(press('a')).toBeNull();
    expect(press('constructor')).toBeNull();
  });
});

describe('nextSort(sort, column, isText, isAdded)', () => {
  it('begins numbers with the largest and texts with A, and turns round at the second click', () => {
    const numbers = nextSort([], 1, false, false);
    expect(numbers).toEqual([{column: 1, isDescending: true}]);
    expect(nextSort(numbers, 1, false, false)).toEqual([{column: 1, isDescending: false}]);
    expect(nextSort(numbers, 0, true, false)).toEqual([{column: 0, isDescending: false}]);
  });

  it('adds a column with Shift, and turns one round in its place', () => {
    const two = nextSort(nextSort([], 1, false, false), 0, true, true);
    expect(two).toEqual([
      {column: 1, isDescending: true},
      {column: 0, isDescending: false},
    ]);
    expect(nextSort(two, 1, false, true)).toEqual([
      {column: 1, isDescending: false},
      {column: 0, isDescending: false},
    ]);
  });
});

describe('chartedColumn(columns, sort, chosen)', () => {
  const column = (header: string, isText = false, hasBar = false) => ({
    header,
    title: header,
    definition: '',
    isText,
    isName: isText,
    hasBar,
  });
  const columns = [
    column('Name', true),
    column('Count'),
    column('Time (%)', false, true),
    column('Total Time (ns)', false, true),
  ];
  const sorted = (at: number) => [{column: at, isDescending: true}];

  it('is the one that was chosen, else the one sorted by, else the first with bars that are no shares', () => {
    expect(chartedColumn(columns, sorted(2), 'Count')).toBe(1);
    expect(chartedColumn(columns, sorted(2), 'Name')).toBe(2);
    expect(chartedColumn(columns, sorted(0), 'gone')).toBe(3);
    expect(chartedColumn(columns, [], null)).toBe(3);
  });

  it('is the first of numbers where none has bars, and none where none has numbers', () => {
    expect(chartedColumn(columns.slice(0, 2), sorted(7), null)).toBe(1);
    expect(chartedColumn(columns.slice(0, 1), sorted(0), 'Name')).toBe(-1);
    expect(chartedColumn([], [], null)).toBe(-1);
  });
});

describe('choiceOf(stack, choices) and stackOf(choice, choices)', () => {
  const choices: StackChoices = {kinds: ['user_annotation', 'nvtx_pushpop', 'cpu_op'], domains: ['', 'app']};
  const again = (stack: RangeStack, of = choices) => stackOf(choiceOf(stack, of), of);

  it('say nothing of the usual choice, and the same of any other', () => {
    expect(choiceOf({}, choices)).toEqual({kinds: ['user_annotation', 'nvtx_pushpop'], domain: null, unfolded: null});
    expect(again({})).toEqual({});
    const stacks: RangeStack[] = [
      {kinds: ['cpu_op']},
      {kinds: []},
      {domain: ''},
      {kinds: ['nvtx_pushpop'], domain: 'app', fold: {unfolded: ['layer_*'], layers: true}},
    ];
    for (const stack of stacks) expect(again(stack)).toEqual(stack);
  });

  it('take the usual in place of what a profile has not', () => {
    const other: StackChoices = {kinds: ['user_annotation', 'module'], domains: ['']};
    expect(again({kinds: ['cpu_op'], domain: 'app', fold: {unfolded: []}}, other)).toEqual({
      fold: {unfolded: [], layers: true},
    });
    expect(again({kinds: ['cpu_op', 'module']}, other)).toEqual({kinds: ['module']});
  });
});

describe('storedView(members) and storedRows(choices)', () => {
  const stack: RangeStack = {kinds: ['cpu_op'], domain: '', fold: {unfolded: ['a'], layers: true}};
  const bar = {text: 'gemm', isRegex: true, selection: {range: 'forward', step: 2, process: '71'}, stack};
  const rows = {bar, sort: [{column: 2, header: 'Count', isDescending: true}]};

  it('are what was stored', () => {
    const view = {tab: 'nvtx', isChart: true, chartColumn: 'Count', columns: {a: 1}};
    expect(storedView(view)).toEqual(view);
    expect(storedRows(rows)).toEqual(rows);
  });

  it('are nothing where nothing of use was stored', () => {
    for (const odd of [{}, {tab: 1, isChart: 1, chartColumn: {}}])
      expect(storedView(odd)).toEqual({tab: null, isChart: false, chartColumn: null});
    for (const odd of [{}, {bar: 5, sort: 5}]) expect(storedRows(odd)).toEqual({bar: null, sort: []});
  });

  it('leave out what makes no sense', () => {
    const oddStack = {kinds: ['cpu_op', 'kernel', 3], domain: 5, fold: {unfolded: [1, 'a']}};
    const oddBar = {text: 1, isRegex: 'no', selection: {step: 'x', range: 5, pass: 'up', other: 1}, stack: oddStack};
    expect(storedRows({bar: oddBar, sort: [5, {column: -1, header: 'a'}, {column: 1, header: 'b'}]})).toEqual({
      bar: {text: '', isRegex: false, selection: {}, stack: {kinds: ['cpu_op'], fold: {unfolded: ['a'], layers: true}}},
      sort: [{column: 1, header: 'b', isDescending: false}],
    });
  });
});

it('rowActions(row, name) leads nowhere from work of no range', () => {
  expect(rowActions('range', 'forward')).toEqual(['kernels', 'timeline', 'flame', 'source', 'what-if']);
  expect(rowActions('kernel', 'gemm')).toEqual(['durations', 'timeline', 'flame', 'source', 'what-if']);
  expect(rowActions('step', 'ProfilerStep#3')).toEqual(['timeline', 'flame']);
  for (const name of ['(outside any range)', '(no launch call)', '(backward, unmatched)']) {
    expect(rowActions('range', name)).toEqual([]);
  }
  expect(rowActions('plain', 'forward')).toEqual([]);
  expect(rowActions('range', 'layer_*', true)[0]).toBe('unfold');
});
