import {describe, expect, it} from 'vitest';
import {fromStored, toStored} from '../../webview/timeline/stored-layout.js';
import {mostViews, viewOf, withView, type StoredView} from '../../webview/timeline/stored-views.js';

it('fromStored(stored) takes what toStored wrote, and nothing of what has not its form', () => {
  const layout = {toggled: new Set(['a']), pinned: new Set(['b']), order: ['c', 'a'], filter: 'not kept'};
  expect(fromStored(toStored(layout, 'name'))).toEqual({layout: {...layout, filter: ''}, coloring: 'name'});
  const plain = {layout: {toggled: new Set(), pinned: new Set(), order: [], filter: ''}, coloring: 'class'};
  for (const bad of [null, 7, 'x', {toggled: 3, pinned: [1, {}], coloring: 'evil'}])
    expect(fromStored(bad)).toEqual(plain);
});

describe('viewOf(stored, identity)', () => {
  const view: StoredView = {
    window: {fromNs: 10, toNs: 20},
    scrollPx: 30,
    filter: 'gpu',
    focusedRow: 'GPU 0\nStream 7\nall',
    selected: {kind: 'slice', row: 3, name: 'kernel_A', atNs: 2000},
    marks: [12, 15],
    measured: {fromNs: 11, toNs: 13},
    area: {fromNs: 14, toNs: 16, rows: ['a', 'b']},
  };
  const plain = {
    window: {fromNs: 0, toNs: 1},
    scrollPx: 0,
    filter: '',
    focusedRow: '',
    selected: null,
    marks: [],
    measured: null,
  };

  it('is what withView(…) stored of each profile, through JSON', () => {
    const other = {...plain, area: null};
    const stored: unknown = JSON.parse(JSON.stringify(withView(withView(null, 'one', view), 'other', other)));
    expect([viewOf(stored, 'one'), viewOf(stored, 'other'), viewOf(stored, 'third')]).toMatchObject([
      view,
      other,
      null,
    ]);
    expect(viewOf(withView(stored, 'one', {...view, scrollPx: 31}), 'one')?.scrollPx).toBe(31);
  });

  it('forgets the oldest profiles, and marks beyond what anyone sets', () => {
    let stored: unknown = null;
    for (let i = 0; i < 25; i++) stored = withView(stored, `profile ${String(i)}`, {...plain, area: null});
    const known = Array.from({length: 25}, (_, i) => viewOf(stored, `profile ${String(i)}`) !== null);
    expect(known.map(Number).join('')).toBe('0'.repeat(25 - mostViews) + '1'.repeat(mostViews));
    const many = Array.from({length: 999}, (_, i) => i);
    expect(viewOf(withView(null, 'a', {...view, marks: many}), 'a')?.marks).toHaveLength(200);
  });

  it('takes nothing that has not its form', () => {
    for (const bad of [null, 7, {views: 3}, {views: [null, 3, {identity: 'a'}]}, {identity: 'a', window: {}}])
      expect(viewOf(bad, 'a')).toBeNull();
    const odd = {identity: 'a', window: {fromNs: 0, toNs: 9}, scrollPx: 1, marks: [1, 'x', null], area: {fromNs: 3}};
    expect(viewOf({views: [{...odd, selected: {kind: 'evil', row: 1.5}, filter: {}}]}, 'a')).toMatchObject({
      filter: '',
      selected: null,
      marks: [1],
      area: null,
    });
    expect(viewOf({views: [{...odd, window: {fromNs: 9, toNs: 0}}]}, 'a')).toBeNull();
  });
});
