import type {Attribution} from '../attribution/attribute.js';
import type {Chosen} from '../attribution/chosen.js';
import {addWall} from '../attribution/cpu-totals.js';
import {groupByInstance} from '../attribution/range-groups.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {blockNames, type BlockNaming} from './block-names.js';
import {FlameSamplesBuilder, type FlameSamples} from './flame-samples.js';
import type {FlameTreeBuilder} from './flame-tree.js';

/**
 * Returns a sample per chosen range, weighted by its self time: wall time without its direct children.
 *
 * @param attribution the attribution whose ranges are the blocks
 */
export function cpuSamples(
  trace: Trace,
  {ranges}: Attribution,
  chosen: Chosen,
  tree: FlameTreeBuilder,
  naming: BlockNaming,
): FlameSamples {
  const {slices} = trace;
  const textOf = blockNames(trace, naming);
  const {slice, parent} = ranges;
  const {length} = slice;
  const totals = {
    count: new Float64Array(length),
    cpuWallNs: new Float64Array(length),
    cpuSelfNs: new Float64Array(length),
  };
  addWall(trace, ranges, groupByInstance(ranges), chosen, totals);
  const samples = new FlameSamplesBuilder(length);
  const nodeOf = new Int32Array(length);
  for (let range = 0; range < length; range++) {
    const row = slice[range];
    const outer = parent[range] < 0 ? 0 : nodeOf[parent[range]];
    if (totals.count[range] === 0) {
      nodeOf[range] = outer;
      continue;
    }
    const name = tree.name(textOf(row));
    const kind = slices.kind[row] === kindIndex.cpu_op ? 'operator' : 'range';
    nodeOf[range] = tree.child(outer, name, kind, naming.isInTimeOrder ? range : -1);
    const startNs = Math.max(chosen.fromNs, slices.startNs[row]);
    const endNs = Math.min(chosen.toNs, slices.startNs[row] + slices.durationNs[row]);
    samples.add(nodeOf[range], Math.max(0, totals.cpuSelfNs[range]), startNs, endNs, {device: -1, slice: row, range});
  }
  return samples.finish();
}
