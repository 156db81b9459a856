// @vitest-environment jsdom
import {describe, expect, it} from 'vitest';
import {isOnResizer, listenToResizers, resizer} from '../../webview/tables/column-resizer.js';
import {ColumnWidths} from '../../webview/tables/column-widths.js';

describe('ColumnWidths', () => {
  it('keeps a width by table and column, within bounds, and gives it back when it was stored', () => {
    const widths = new ColumnWidths();
    widths.choose('Kernels', 'Name', 312.4);
    widths.choose('Kernels', 'Time (ns)', 3);
    widths.choose('Copies', 'Name', 1e9);
    const restored = new ColumnWidths();
    restored.restore(JSON.parse(JSON.stringify(widths.stored)));
    expect(restored.of('Kernels', 'Name')).toBe(312);
    expect(restored.of('Kernels', 'Time (ns)')).toBe(40);
    expect(restored.of('Copies', 'Name')).toBe(4000);
    expect(restored.of('Copies', 'Time (ns)')).toBeNull();
    restored.choose('Kernels', 'Name', null);
    expect(restored.of('Kernels', 'Name')).toBeNull();
  });

  it('keeps the latest 200, and reads no nonsense', () => {
    const widths = new ColumnWidths();
    for (let at = 0; at < 300; at++) widths.choose('Kernels', String(at), 100);
    expect(widths.stored.length).toBe(200);
    expect([widths.of('Kernels', '99'), widths.of('Kernels', '299')]).toEqual([null, 100]);
    const restored = new ColumnWidths();
    for (const stored of [undefined, 'x', [null, 3, ['a'], ['b', 'c'], ['d', -1], ['e', NaN]]])
      restored.restore(stored);
    expect(restored.stored).toEqual([]);
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
