import type {RangeNode, RangeTree} from '../questions/range-tree.js';
import {formatDuration, formatPercent} from '../format/duration.js';
import {amount} from './line-fields.js';

/** Returns the figures of a path in the tree: `44.3 ms/step · 30.6 % · ×32`; CPU time if the trace has no GPU work. */
export function rangeNodeText(
  {gpuWorkNs, backwardGpuWorkNs, cpuWallNs, count}: RangeNode,
  {of, steps, allGpuWorkNs, allWallNs}: Omit<RangeTree, 'nodes'>,
): string {
  const [divisor, suffix] = of === 'steps' ? [steps, '/step'] : [1, ''];
  const [ns, all, what] =
    allGpuWorkNs > 0 ? [gpuWorkNs + backwardGpuWorkNs, allGpuWorkNs, ''] : [cpuWallNs, allWallNs, 'CPU '];
  const parts = [`${what}${formatDuration(ns / divisor)}${suffix}`, formatPercent(ns, all)];
  if (count > 0) parts.push(`×${amount(count / divisor)}`);
  return parts.join(' · ');
}
