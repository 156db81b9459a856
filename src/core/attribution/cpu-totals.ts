import type {Trace} from '../trace/trace.js';
import type {Attribution} from './attribute.js';
import {blockingCalls} from './blocking-calls.js';
import {insideNs, type Chosen} from './chosen.js';
import {handDown} from './gpu-totals.js';
import type {RangeGroups} from './range-groups.js';
import type {Ranges} from './ranges.js';
import type {SiteChains} from './site-chains.js';
import type {RangeTotals} from './totals-columns.js';

/** Instances, their wall time, that without the ranges right below them, and the part of it spent waiting for a GPU. */
export function addCpuTime(
  trace: Trace,
  attribution: Attribution,
  {groupOf}: RangeGroups,
  {chains}: SiteChains,
  chosen: Chosen,
  totals: RangeTotals,
): void {
  const {startNs, durationNs} = trace.slices;
  const {slice} = attribution.ranges;
  const {isSliceChosen} = chosen;
  const childrenNs = timeInChildren(trace, attribution.ranges, chosen);
  for (let range = 0; range < groupOf.length; range++) {
    const group = groupOf[range];
    const row = slice[range];
    if (group < 0 || (isSliceChosen !== null && !isSliceChosen(row))) continue;
    const wallNs = insideNs(startNs[row], durationNs[row], chosen);
    totals.count[group]++;
    totals.cpuWallNs[group] += wallNs;
    totals.cpuSelfNs[group] += wallNs - childrenNs[range];
  }
  const {slice: calls, node, stacks} = blockingCalls(trace, attribution);
  const chainOfStack = chains.ofStacks(stacks, groupOf);
  const blockedNs = new Float64Array(chains.length);
  for (let call = 0; call < calls.length; call++) {
    const row = calls[call];
    if (node[call] < 0 || (isSliceChosen !== null && !isSliceChosen(row))) continue;
    const chain = chainOfStack[node[call]];
    if (chain >= 0) blockedNs[chain] += insideNs(startNs[row], durationNs[row], chosen);
  }
  handDown(chains, blockedNs, totals.cpuBlockedNs);
}

/** Range → union of the ranges right below it: they come in order of start, and may overlap without nesting. */
function timeInChildren({slices}: Trace, {slice, parent}: Ranges, chosen: Chosen): Float64Array {
  const coveredNs = new Float64Array(slice.length);
  const coveredToNs = new Float64Array(slice.length);
  for (let range = 0; range < parent.length; range++) {
    const outer = parent[range];
    if (outer < 0) continue;
    const row = slice[range];
    const fromNs = Math.max(slices.startNs[row], coveredToNs[outer]);
    const endNs = slices.startNs[row] + slices.durationNs[row];
    if (endNs <= fromNs) continue;
    coveredNs[outer] += insideNs(fromNs, endNs - fromNs, chosen);
    coveredToNs[outer] = endNs;
  }
  return coveredNs;
}
