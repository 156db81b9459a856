// @vitest-environment jsdom
import {describe, expect, it} from 'vitest';
import {isOnResizer, listenToResizers, resizer} from '../../webview/shared/grid/column-resizer.js';
import {ColumnLayouts} from '../../webview/shared/grid/column-layouts.js';
import {movedOrder, shownColumns} from '../../webview/shared/grid/column-order.js';

describe('ColumnLayouts', () => {
  it('keeps widths within bounds, order and hidden columns by table, tells of changes, and comes back from what was stored', () => {
    let changes = 0;
    const layouts = new ColumnLayouts(() => changes++);
    layouts.resize('Kernels', 'Name', 312.4);
    layouts.resize('Kernels', 'Time (ns)', 3);
    layouts.resize('Copies', 'Name', 1e9);
    layouts.change('Kernels', {
      order: ['Time (ns)', 'Name'],
      hidden: ['Count'],
      sort: [{column: 'Count', isDescending: true}],
    });
    expect(changes).toBe(4);
    const restored = new ColumnLayouts();
    restored.restore(JSON.parse(JSON.stringify(layouts.stored)));
    expect(restored.of('Kernels')).toEqual({
      widths: {Name: 312, 'Time (ns)': 40},
      order: ['Time (ns)', 'Name'],
      hidden: ['Count'],
      sort: [{column: 'Count', isDescending: true}],
    });
    expect(restored.of('Copies').widths).toEqual({Name: 4000});
    restored.resize('Kernels', 'Name', null);
    expect(restored.of('Kernels').widths).toEqual({'Time (ns)': 40});
    restored.reset('Kernels');
    expect(restored.of('Kernels').order).toEqual([]);
  });

  it('keeps the latest 50 tables, and reads no nonsense', () => {
    const layouts = new ColumnLayouts();
    for (let at = 0; at < 60; at++) layouts.resize(String(at), 'Name', 100);
    expect(layouts.stored.map(([table]) => table)).toEqual(Array.from({length: 50}, (_, at) => String(at + 10)));
    const restored = new ColumnLayouts();
    for (const stored of [
      undefined,
      'x',
      [null, 3, ['a'], ['b', 'c'], ['d', {widths: {x: NaN, y: -1}, order: [1], sort: [1, {column: 2}]}]],
    ])
      restored.restore(stored);
    for (const table of ['a', 'b', 'd'])
      expect(restored.of(table)).toEqual({widths: {}, order: [], hidden: [], sort: []});
  });
});

describe('shownColumns(columns, layout, sort)', () => {
  const columns = ['Time', 'Name', 'Count'].map(id => ({id, title: id, isText: id === 'Name', isFirst: id === 'Name'}));

  it('has what is to come first there, else the order that was chosen, with new columns behind those they usually follow', () => {
    expect(shownColumns(columns, {order: [], hidden: []}, [])).toEqual([1, 0, 2]);
    expect(shownColumns(columns, {order: ['Count', 'Name', 'gone'], hidden: []}, [])).toEqual([2, 1, 0]);
    expect(movedOrder(columns, {order: []}, 2, 1)).toEqual(['Count', 'Name', 'Time']);
  });

  it('leaves out hidden columns, but never all, nor one that rows are sorted by', () => {
    const layout = {order: [], hidden: ['Time', 'Name', 'Count']};
    expect(shownColumns(columns, layout, [])).toEqual([1]);
    expect(shownColumns(columns, layout, [{column: 2, isDescending: true}])).toEqual([2]);
  });
});

describe('listenToResizers(head, resize)', () => {
  const events: unknown[] = [];
  const head = document.createElement('div');
  const cell = document.createElement('div');
  cell.className = 'cell';
  cell.dataset['shown'] = '2';
  const edge = resizer();
  cell.append(edge);
  head.append(cell);
  document.body.append(head);
  Object.defineProperty(cell, 'offsetWidth', {value: 120});
  listenToResizers(head, (shown, px) => events.push([shown, px]));
  const pointer = (target: EventTarget, type: string, clientX: number) =>
    target.dispatchEvent(new MouseEvent(type, {clientX, button: 0, bubbles: true, cancelable: true}));

  it('follows the pointer until it is released, and selects no text', () => {
    expect(pointer(edge, 'pointerdown', 300)).toBe(false);
    pointer(window, 'pointermove', 330);
    pointer(window, 'pointermove', 280);
    pointer(window, 'pointerup', 280);
    pointer(window, 'pointermove', 500);
    expect(events.splice(0)).toEqual([
      [2, 150],
      [2, 100],
    ]);
  });

  it('leaves the rest of the header alone, and undoes by a double click', () => {
    pointer(cell, 'pointerdown', 300);
    pointer(window, 'pointermove', 330);
    pointer(edge, 'dblclick', 300);
    expect(events.splice(0)).toEqual([[2, null]]);
    const click = new MouseEvent('click', {bubbles: true});
    edge.dispatchEvent(click);
    expect(isOnResizer(click)).toBe(true);
  });
});
