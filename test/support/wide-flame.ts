import {flameKinds, flameSchema, type FlameGraph} from '../../src/core/flame/flame-graph.js';
import {TableBuilder} from '../../src/core/table/table.js';
import {seededRandom} from './random.js';

/**
 * Returns a flame graph of this many blocks: each has up to 30 children of very different widths, as layers and kernels
 * have.
 */
export function wideFlame(blocks: number): FlameGraph {
  const next = seededRandom(7);
  const nodes = new TableBuilder(flameSchema, blocks);
  const names = Array.from({length: 500}, (_, index) => `kernel_${String(index)}_with_a_name_of_usual_length`);
  const add = (parent: number, total: number) => {
    const node = nodes.add();
    nodes.columns.parent[node] = parent;
    nodes.columns.total[node] = total;
    nodes.columns.name[node] = Math.floor(next() * names.length);
    nodes.columns.kind[node] = parent < 0 ? 0 : flameKinds.indexOf(node % 3 === 0 ? 'operator' : 'operation');
  };
  add(-1, 1e9);
  for (let parent = 0; nodes.length < blocks; parent++) {
    let leftNs = nodes.columns.total[parent] ?? 0;
    const count = 1 + Math.floor(next() * 30);
    for (let child = 0; child < count && nodes.length < blocks; child++) {
      const total = leftNs * (child === count - 1 ? 0.9 : next() ** 2 * 0.5);
      leftNs -= total;
      add(parent, total);
    }
  }
  return {weight: 'gpu-work', mode: 'merged', nodes: nodes.finish(), names, total: 1e9, notes: []};
}
