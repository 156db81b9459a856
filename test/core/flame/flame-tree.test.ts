import {describe, expect, it} from 'vitest';
import {FlameTreeBuilder} from '../../../src/core/flame/flame-tree.js';
import {numberless} from '../../../src/core/names/operator-name.js';
import {parseTimeWindow} from '../../../src/core/format/time-window-text.js';

describe('FlameTreeBuilder', () => {
  it('child(parent, name, kind) is one block for siblings of a name, in time order one for each run', () => {
    const merged = new FlameTreeBuilder('root');
    const inTime = new FlameTreeBuilder('root', true);
    const add = (tree: FlameTreeBuilder) =>
      ['a', 'b', 'a', 'a'].map(name => tree.child(0, tree.name(name), 'operation'));
    expect(add(merged)).toEqual([1, 2, 1, 1]);
    expect(add(inTime)).toEqual([1, 2, 3, 3]);
  });

  it('child(parent, name, kind) is the parent where there are as many blocks as may be', () => {
    const tree = new FlameTreeBuilder('root', true, 2);
    expect(tree.child(0, tree.name('a'), 'range')).toBe(1);
    expect(tree.isFull).toBe(false);
    expect(tree.child(1, tree.name('b'), 'range')).toBe(1);
    expect(tree.isFull).toBe(true);
  });
});

it.each([
  ['layer_0', 'layer_*'],
  ['h.12.attn', 'h.*.attn'],
  ['step', 'step'],
])('numberless(%s) is %s', (name, folded) => {
  expect(numberless(name)).toBe(folded);
});

it.each([
  ['10-20 ms', {fromNs: 10e6, toNs: 20e6}],
  ['1.5 – 2 s', {fromNs: 1.5e9, toNs: 2e9}],
  ['10 to 20', {fromNs: 10e6, toNs: 20e6}],
  ['5-6us', {fromNs: 5000, toNs: 6000}],
  ['20-10', null],
  ['soon', null],
])('parseTimeWindow(%s) is %j', (text, window) => {
  expect(parseTimeWindow(text)).toEqual(window);
});
