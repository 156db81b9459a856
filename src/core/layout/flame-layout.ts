import {hierarchy, partition, type HierarchyRectangularNode} from 'd3-hierarchy';
import type {FlameGraph} from '../queries/flame.js';

/** A block of the flame graph; `x0` and `x1` are fractions of the root's width. */
export interface FlameBlock {
  /** Row of the flame graph's nodes. */
  readonly node: number;
  /** Index of the parent's block, -1 for the root. */
  readonly parent: number;
  readonly depth: number;
  readonly x0: number;
  readonly x1: number;
  readonly totalNs: number;
}

/**
 * The blocks of a flame graph: as wide as their own time and that of all below, the widest on the left, parents before
 * children. Nodes without any time have no block.
 */
export function flameLayout({nodes, totalNs}: FlameGraph): FlameBlock[] {
  if (totalNs <= 0) return [];
  const children = Array.from({length: nodes.length}, (): number[] => []);
  for (let node = 1; node < nodes.length; node++) children[nodes.parent[node]].push(node);
  const root = hierarchy(0, node => children[node])
    .sum(node => nodes.selfNs[node])
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const blocks: FlameBlock[] = [];
  const blockOf = new Map<HierarchyRectangularNode<number>, number>();
  for (const item of partition<number>()(root).descendants()) {
    if (!item.value) continue;
    blockOf.set(item, blocks.length);
    blocks.push({
      node: item.data,
      parent: item.parent ? (blockOf.get(item.parent) ?? -1) : -1,
      depth: item.depth,
      x0: item.x0,
      x1: item.x1,
      totalNs: item.value,
    });
  }
  return blocks;
}

/** A part of the root's width, as fractions of it. */
export interface FlameWindow {
  readonly x0: number;
  readonly x1: number;
}

/** Narrower than any pixel: what rounding leaves of a neighbour. */
const rounding = 1e-9;

/** What is seen when a part of the width fills all of it; `x0` and `x1` of the result are fractions of the part. */
export function blocksInWindow(blocks: readonly FlameBlock[], {x0, x1}: FlameWindow): FlameBlock[] {
  const scaled = (x: number) => Math.min(1, Math.max(0, (x - x0) / (x1 - x0)));
  return blocks.flatMap(block => {
    const inside = {...block, x0: scaled(block.x0), x1: scaled(block.x1)};
    return inside.x1 - inside.x0 > rounding ? [inside] : [];
  });
}
