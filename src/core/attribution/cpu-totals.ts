import type {Trace} from '../trace/trace.js';
import type {Attribution} from './attribute.js';
import {blockingCalls} from './blocking-calls.js';
import {insideNs, type Chosen} from './chosen.js';
import {handDown} from './gpu-totals.js';
import type {RangeGroups} from './range-groups.js';
import type {Ranges} from './ranges.js';
import type {SiteChains} from './site-chains.js';
import type {RangeTotals} from './totals-columns.js';

/**
 * Adds the number of instances, their wall time, their self time (without direct child ranges), and the part of it
 * spent waiting for a GPU.
 */
export function addCpuTime(
  trace: Trace,
  attribution: Attribution,
  groups: RangeGroups,
  sites: SiteChains,
  chosen: Chosen,
  totals: RangeTotals,
): void {
  addWall(trace, attribution.ranges, groups, chosen, totals);
  addBlocked(trace, attribution, groups, sites, chosen, totals);
}

/** Adds the number of instances, their wall time, and their self time (without direct child ranges). */
export function addWall(
  {slices}: Trace,
  {slice, parent}: Ranges,
  {groupOf}: RangeGroups,
  chosen: Chosen,
  {count, cpuWallNs, cpuSelfNs}: Pick<RangeTotals, 'count' | 'cpuWallNs' | 'cpuSelfNs'>,
): void {
  const {startNs, durationNs} = slices;
  const {isSliceChosen} = chosen;
  const isCounted = (range: number) => groupOf[range] >= 0 && (isSliceChosen === null || isSliceChosen(slice[range]));
  // Direct child ranges are sorted by start, and may overlap without nesting: one number holds their union.
  const coveredToNs = new Float64Array(slice.length);
  for (let range = 0; range < slice.length; range++) {
    const row = slice[range];
    if (isCounted(range)) {
      const wallNs = insideNs(startNs[row], durationNs[row], chosen);
      count[groupOf[range]]++;
      cpuWallNs[groupOf[range]] += wallNs;
      cpuSelfNs[groupOf[range]] += wallNs;
    }
    const outer = parent[range];
    if (outer < 0) continue;
    const fromNs = Math.max(startNs[row], coveredToNs[outer]);
    const endNs = startNs[row] + durationNs[row];
    if (endNs <= fromNs) continue;
    coveredToNs[outer] = endNs;
    if (isCounted(outer)) cpuSelfNs[groupOf[outer]] -= insideNs(fromNs, endNs - fromNs, chosen);
  }
}

function addBlocked(
  trace: Trace,
  attribution: Attribution,
  {groupOf}: RangeGroups,
  {chains}: SiteChains,
  chosen: Chosen,
  totals: RangeTotals,
): void {
  const {startNs, durationNs} = trace.slices;
  const {isSliceChosen} = chosen;
  const {slice, node, stacks} = blockingCalls(trace, attribution);
  const chainOfStack = chains.ofStacks(stacks, groupOf);
  const blockedNs = new Float64Array(chains.length);
  for (let call = 0; call < slice.length; call++) {
    const row = slice[call];
    if (node[call] < 0 || (isSliceChosen !== null && !isSliceChosen(row))) continue;
    const chain = chainOfStack[node[call]];
    if (chain >= 0) blockedNs[chain] += insideNs(startNs[row], durationNs[row], chosen);
  }
  handDown(chains, blockedNs, totals.cpuBlockedNs);
}
