import {flameName, type FlameGraph, type FlameQuery} from '../../src/core/flame/flame-graph.js';
import {flameLayout} from '../../src/core/flame/flame-layout.js';
import {flameGraph} from '../../src/core/questions/flame.js';
import type {Trace} from '../../src/core/trace/trace.js';

/** Returns a flame graph as text: one line per block with its place, row by row, indented by depth. */
export function picture(trace: Trace, query: FlameQuery): string[] {
  const graph = flameGraph(trace, query);
  const {rows, x0, x1, row} = flameLayout(graph);
  return rows.flatMap(({nodes}) =>
    Array.from(nodes, node => {
      const indent = '  '.repeat(Math.abs(row[node] ?? 0));
      return `${indent}${flameName(graph, node)} ${(x0[node] ?? NaN).toFixed(2)}–${(x1[node] ?? NaN).toFixed(2)}`;
    }),
  );
}

/** Returns the first block with a name. */
export function blockNamed(graph: FlameGraph, name: string): number {
  const node = Array.from(graph.nodes.name).findIndex(index => graph.names[index] === name);
  if (node < 0) throw new Error(`No block is called ${name}.`);
  return node;
}
