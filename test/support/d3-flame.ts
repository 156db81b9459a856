import {hierarchy, partition, type HierarchyRectangularNode} from 'd3';
import type {FlameGraph} from '../../src/core/flame/flame-graph.js';

/** A node of a flame graph as input of d3's hierarchies. */
export interface FlameDatum {
  readonly node: number;
  readonly self: number;
  readonly children: FlameDatum[];
}

/** Returns a flame graph as nested objects. */
export function flameObjects({nodes}: FlameGraph): FlameDatum {
  const data: FlameDatum[] = [];
  for (let node = 0; node < nodes.length; node++) {
    const datum = {node, self: nodes.self[node] ?? 0, children: []};
    data.push(datum);
    data[nodes.parent[node] ?? -1]?.children.push(datum);
  }
  const [root] = data;
  if (!root) throw new Error('A flame graph has a root.');
  return root;
}

/**
 * Returns the same picture laid out by d3-hierarchy: the widest on the left, each as wide as its self weight plus its
 * children.
 */
export function d3FlameLayout(data: FlameDatum): HierarchyRectangularNode<FlameDatum> {
  const root = hierarchy(data)
    .sum(({self}) => self)
    .sort((one, other) => (other.value ?? 0) - (one.value ?? 0) || one.data.node - other.data.node);
  return partition<FlameDatum>()(root);
}
