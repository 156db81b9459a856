import {callerSide, type FlameGraph, type FlameTable} from './flame-graph.js';
import {upperBound} from '../table/search.js';

/**
 * The positions of a flame graph's blocks. By node: fractions of the root's width, and the row, which is negative for
 * callers, above the root.
 */
export interface FlameLayout {
  readonly x0: Float64Array;
  readonly x1: Float64Array;
  readonly row: Int32Array;
  /** Number of the topmost row: 0, or negative if there are callers. */
  readonly firstRow: number;
  /** The nodes of each row from left to right, beginning with `firstRow`. Nodes without width are in no row. */
  readonly rows: readonly FlameRow[];
}

/** A row: its nodes, and their left edges. */
interface FlameRow {
  readonly nodes: Int32Array;
  readonly x0: Float64Array;
}

/**
 * Returns the layout of a flame graph: blocks are as wide as their total, the widest on the left, or in time order. A
 * block's own weight is to the right of its children.
 */
export function flameLayout({nodes, mode, total}: FlameGraph): FlameLayout {
  const {length} = nodes;
  const x0 = new Float64Array(length).fill(NaN);
  const x1 = new Float64Array(length).fill(NaN);
  const row = new Int32Array(length);
  const byRow = new Map<number, number[]>();
  if (total > 0) place();
  const numbers = [...byRow.keys()].sort((a, b) => a - b);
  const rows = numbers.map(number => rowOf(byRow.get(number) ?? [], x0));
  return {x0, x1, row, firstRow: numbers.at(0) ?? 0, rows};

  function place(): void {
    const {first, children} = childrenInOrder(nodes, mode === 'time');
    x0[0] = 0;
    x1[0] = 1;
    // An explicit stack: a file may nest blocks deeper than the call stack allows.
    const open = [0];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const list = byRow.get(row[node]);
      if (list) list.push(node);
      else byRow.set(row[node], [node]);
      // Callers and callees of the root both begin at its left edge.
      const fromX = [x0[node], x0[node]];
      const end = first[node + 1];
      for (let at = first[node]; at < end; at++) {
        const child = children[at];
        const {[child]: side} = nodes.side;
        x0[child] = fromX[side];
        x1[child] = fromX[side] = Math.min(x1[node], fromX[side] + nodes.total[child] / total);
        row[child] = row[node] + (side === callerSide ? -1 : 1);
      }
      for (let at = end - 1; at >= first[node]; at--) if (nodes.total[children[at]] > 0) open.push(children[at]);
    }
  }
}

/** Returns the children of each node in the order of display: node n's are `first[n]` to `first[n + 1]`. */
function childrenInOrder(
  {length, parent, total}: FlameTable,
  isInTimeOrder: boolean,
): {first: Int32Array; children: Int32Array} {
  const first = new Int32Array(length + 1);
  for (let node = 1; node < length; node++) first[parent[node] + 1]++;
  for (let node = 0; node < length; node++) first[node + 1] += first[node];
  const next = first.slice();
  const children = new Int32Array(Math.max(0, length - 1));
  for (let node = 1; node < length; node++) children[next[parent[node]]++] = node;
  if (isInTimeOrder) return {first, children};
  for (let node = 0; node < length; node++) {
    if (first[node + 1] - first[node] > 1) {
      children.subarray(first[node], first[node + 1]).sort((a, b) => total[b] - total[a] || a - b);
    }
  }
  return {first, children};
}

function rowOf(list: readonly number[], x0: Float64Array): FlameRow {
  const nodes = Int32Array.from(list);
  const starts = new Float64Array(nodes.length);
  for (let at = 0; at < nodes.length; at++) starts[at] = x0[nodes[at]];
  return {nodes, x0: starts};
}

/** A part of the root's width, as fractions of it. */
export interface FlameWindow {
  readonly x0: number;
  readonly x1: number;
}

/** Blocks narrower than this are drawn together. */
const leastBlockPx = 1;

/**
 * Visits the visible nodes of a row, from left to right, if a part of the width fills `widthPx`. Calls back with a node
 * and its position, or with -1 for several nodes narrower than a pixel. The cost depends on the pixels of the row, not
 * on its blocks.
 */
export function visitRow(
  layout: FlameLayout,
  index: number,
  window: FlameWindow,
  widthPx: number,
  visit: (node: number, leftPx: number, widthPx: number) => void,
): void {
  const {nodes, x0} = layout.rows[index];
  const {x1} = layout;
  const perX = widthPx / (window.x1 - window.x0);
  const leastX = leastBlockPx / perX;
  let fromX = NaN;
  let toX = NaN;
  let at = Math.max(0, upperBound(x0, window.x0) - 1);
  while (at < nodes.length && x0[at] < window.x1) {
    const node = nodes[at];
    const endX = x1[node];
    if (endX <= window.x0) {
      at++;
      continue;
    }
    if (endX - x0[at] >= leastX) {
      flush();
      paint(node, x0[at], endX);
      at++;
      continue;
    }
    if (x0[at] - toX > leastX) flush();
    if (Number.isNaN(fromX)) fromX = x0[at];
    // All blocks that begin in this pixel are part of the same dash, which ends with the last of them.
    const last = Math.max(at, upperBound(x0, x0[at] + leastX) - 1);
    const isNarrow = x1[nodes[last]] - x0[last] < leastX;
    const end = isNarrow ? last : Math.max(at, last - 1);
    toX = x1[nodes[end]];
    at = end + 1;
  }
  flush();

  function flush(): void {
    if (!Number.isNaN(fromX)) paint(-1, fromX, toX);
    fromX = toX = NaN;
  }

  function paint(node: number, startX: number, endX: number): void {
    const leftPx = (Math.max(startX, window.x0) - window.x0) * perX;
    visit(node, leftPx, (Math.min(endX, window.x1) - window.x0) * perX - leftPx);
  }
}

/** Returns the node of a row at a fraction of the root's width; -1 for none. */
export function nodeAt(layout: FlameLayout, index: number, x: number): number {
  if (index < 0 || index >= layout.rows.length) return -1;
  const {nodes, x0} = layout.rows[index];
  const at = upperBound(x0, x) - 1;
  return at >= 0 && x < layout.x1[nodes[at]] ? nodes[at] : -1;
}
