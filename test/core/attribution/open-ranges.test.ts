import {describe, expect, it} from 'vitest';
import {OpenRanges, StackTreeBuilder} from '../../../src/core/attribution/open-ranges.js';

/** Ranges from their drawn intervals, all opened in order; and how to read a stack. */
function opened(...ranges: readonly (readonly [startNs: number, endNs: number])[]): {
  open: OpenRanges;
  stackOf: (node: number) => number[];
  nodes: () => number;
} {
  const tree = new StackTreeBuilder();
  const open = new OpenRanges(tree);
  ranges.forEach(([startNs, endNs], range) => {
    open.moveTo(startNs);
    open.open(range, endNs - startNs, endNs);
  });
  const stackOf = (node: number) => {
    const {range, parent} = tree.soFar();
    const stack: number[] = [];
    for (let at = node; at >= 0; at = parent[at] ?? -1) stack.push(range[at] ?? -1);
    return stack.reverse();
  };
  return {open, stackOf, nodes: () => tree.soFar().length};
}

describe('OpenRanges', () => {
  it('stack(endNs) is all that enclose, outermost first, and the same node for the same stack', () => {
    const {open, stackOf, nodes} = opened([0, 100], [10, 90], [20, 80]);
    expect(stackOf(open.stack(30))).toEqual([0, 1, 2]);
    expect(open.stack(31)).toBe(open.stack(30));
    expect(nodes()).toBe(3);
  });

  it('stack(endNs) leaves out what ends before', () => {
    const {open, stackOf} = opened([0, 100], [10, 40], [20, 80]);
    expect(stackOf(open.stack(60))).toEqual([0, 2]);
    open.moveTo(50);
    expect(stackOf(open.stack(60))).toEqual([0, 2]);
    expect(stackOf(open.stack(101))).toEqual([]);
  });

  it('innermost(endNs) is the shortest, and of equal ones the uppermost', () => {
    expect(opened([0, 40], [10, 100]).open.innermost(30)).toBe(0);
    expect(opened([0, 100], [10, 110]).open.innermost(30)).toBe(1);
    expect(opened([0, 100]).open.innermost(101)).toBe(-1);
    expect(opened().open.innermost(0)).toBe(-1);
  });

  it('keeps a range that ends at the very moment', () => {
    const {open, stackOf} = opened([0, 100], [10, 50]);
    open.moveTo(50);
    expect(stackOf(open.stack(50))).toEqual([0, 1]);
    open.moveTo(51);
    expect(stackOf(open.stack(51))).toEqual([0]);
  });

  it('gives up on ranges that overlap so that no sweep could tell them apart', () => {
    const {open} = opened();
    const overlap = () => {
      for (let range = 0; range < 50_000; range++) {
        open.moveTo(range);
        open.innermost(range + 50_000);
        open.open(range, 40_000, range + 40_000);
      }
    };
    expect(overlap).toThrow(expect.objectContaining({code: 'trace/too-many-open-ranges'}));
  });
});

describe('StackTreeBuilder', () => {
  it('finish() holds every node, in no more than a third as much memory again', () => {
    for (const count of [0, 1, 1024, 1025, 5000]) {
      const tree = new StackTreeBuilder();
      for (let range = 0; range < count; range++) tree.add(range, range - 1);
      const {length, range, parent} = tree.finish();
      expect([length, range.length, parent.length]).toEqual([count, count, count]);
      expect([...range].every((one, node) => one === node && parent[node] === node - 1)).toBe(true);
      expect(range.buffer.byteLength).toBeLessThanOrEqual((4 * 4 * count) / 3);
      expect(parent.buffer.byteLength).toBeLessThanOrEqual((4 * 4 * count) / 3);
    }
  });
});
