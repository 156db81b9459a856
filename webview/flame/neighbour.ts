import {callerSide, type FlameGraph} from '../../src/core/flame/flame-graph.js';
import {nodeAt, type FlameLayout} from '../../src/core/flame/flame-layout.js';
import {upperBound} from '../../src/core/table/search.js';

/** The direction of an arrow key on the screen. */
export type Direction = 'up' | 'down' | 'left' | 'right';

/**
 * Returns the block to which an arrow key moves: the parent, the first child, or a sibling; the same block if there is
 * none.
 */
export function neighbour(graph: FlameGraph, layout: FlameLayout, node: number, direction: Direction): number {
  if (direction === 'left') return sibling(graph, layout, node, -1);
  if (direction === 'right') return sibling(graph, layout, node, 1);
  const {parent, side} = graph.nodes;
  // Callers are drawn upside down: their parent is below them.
  const outwards: Direction = side[node] === callerSide ? 'down' : 'up';
  if (node > 0 && direction === outwards) return parent[node];
  const index = layout.row[node] + (direction === 'up' ? -1 : 1) - layout.firstRow;
  const child = nodeAt(layout, index, layout.x0[node]);
  return child >= 0 && parent[child] === node ? child : node;
}

function sibling({nodes}: FlameGraph, layout: FlameLayout, node: number, step: number): number {
  const row = layout.rows[layout.row[node] - layout.firstRow];
  // If several begin at one place, the last is this node's, or is near it.
  let at = upperBound(row.x0, layout.x0[node]) - 1;
  while (at >= 0 && row.nodes[at] !== node) at--;
  const isInRow = at >= 0 && at + step >= 0 && at + step < row.nodes.length;
  const other = isInRow ? row.nodes[at + step] : node;
  return nodes.parent[other] === nodes.parent[node] ? other : node;
}

/**
 * Returns the block that must fill the width so that `node` is visible: `zoomed`, or the nearest enclosing one that is
 * wide enough.
 */
export function zoomToHold({nodes}: FlameGraph, {x0, x1}: FlameLayout, zoomed: number, node: number): number {
  const isIn = (outer: number) => x0[node] < x1[outer] && x1[node] > x0[outer];
  let at = zoomed;
  // Blocks that enclose the zoomed one are visible too, if they are above it.
  while (at > 0 && !isIn(at)) at = nodes.parent[at];
  return Math.max(0, at);
}
