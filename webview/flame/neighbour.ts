import {callerSide, type FlameGraph} from '../../src/core/flame/flame-graph.js';
import {nodeAt, type FlameLayout} from '../../src/core/flame/flame-layout.js';
import {upperBound} from '../../src/core/table/search.js';

/** Where an arrow key leads, as it points on the screen. */
export type Direction = 'up' | 'down' | 'left' | 'right';

/** The block that an arrow key leads to: the parent, the first child, or a sibling; itself where there is none. */
export function neighbour(graph: FlameGraph, layout: FlameLayout, node: number, direction: Direction): number {
  if (direction === 'left') return sibling(graph, layout, node, -1);
  if (direction === 'right') return sibling(graph, layout, node, 1);
  const {parent, side} = graph.nodes;
  // Callers stand on their heads: their parent is below them.
  const outwards: Direction = side[node] === callerSide ? 'down' : 'up';
  if (node > 0 && direction === outwards) return parent[node];
  const index = layout.row[node] + (direction === 'up' ? -1 : 1) - layout.firstRow;
  const child = nodeAt(layout, index, layout.x0[node]);
  return child >= 0 && parent[child] === node ? child : node;
}

function sibling({nodes}: FlameGraph, layout: FlameLayout, node: number, step: number): number {
  const row = layout.rows[layout.row[node] - layout.firstRow];
  // Of several that begin at one place the last is the one of this node, or stands close to it.
  let at = upperBound(row.x0, layout.x0[node]) - 1;
  while (at >= 0 && row.nodes[at] !== node) at--;
  const isInRow = at >= 0 && at + step >= 0 && at + step < row.nodes.length;
  const other = isInRow ? row.nodes[at + step] : node;
  return nodes.parent[other] === nodes.parent[node] ? other : node;
}

/** The block to fill the width so that `node` is in sight: `zoomed`, or the nearest one around it that is wide enough. */
export function zoomToHold({nodes}: FlameGraph, {x0, x1}: FlameLayout, zoomed: number, node: number): number {
  const isIn = (outer: number) => x0[node] < x1[outer] && x1[node] > x0[outer];
  let at = zoomed;
  // Blocks around the zoomed one are in sight, too, as far as they stand above it.
  while (at > 0 && !isIn(at)) at = nodes.parent[at];
  return Math.max(0, at);
}
