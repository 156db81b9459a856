import type {Ranges} from '../attribution/ranges.js';
import {flameKinds, type FlameTable, type FlameWeight} from './flame-graph.js';
import type {FlameSamples} from './flame-samples.js';

/**
 * Counts in `nodes.instances` how often the range of each block was opened: ranges in which something was launched, or,
 * if the samples are ranges, ranges that take time themselves.
 *
 * @param places the block of each sample, below the blocks of its surrounding ranges in order
 * @returns range → its block, -1 for none
 */
export function countInstances(
  nodes: FlameTable,
  ranges: Ranges,
  samples: FlameSamples,
  places: Int32Array,
  weight: FlameWeight,
): Int32Array {
  const {kind, parent, instances} = nodes;
  const isRange = flameKinds.map(name => name === 'range' || name === 'operator');
  const nodeOfRange = new Int32Array(ranges.slice.length).fill(-1);
  for (let at = 0; at < samples.length; at++) {
    const isOperation = samples.device[at] >= 0;
    let range = samples.range[at];
    let node = places[at];
    while (range >= 0 && node > 0) {
      // The operators around a GPU operation are not its ranges.
      while (node > 0 && (isOperation ? kind[node] !== rangeKind : !isRange[kind[node]])) node = parent[node];
      if (node <= 0 || nodeOfRange[range] === node) break;
      nodeOfRange[range] = node;
      instances[node]++;
      // For CPU time, the surrounding ranges are samples themselves.
      if (weight === 'cpu') break;
      range = ranges.parent[range];
      node = parent[node];
    }
  }
  return nodeOfRange;
}

const rangeKind = flameKinds.indexOf('range');
