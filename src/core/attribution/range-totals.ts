import {rowsIn} from '../table/search.js';
import type {Trace} from '../trace/trace.js';
import type {Attribution} from './attribute.js';
import {everything, type Chosen} from './chosen.js';
import {addCpuTime} from './cpu-totals.js';
import {addBusy} from './busy-totals.js';
import {addSelf, addWork} from './gpu-totals.js';
import {projectRanges} from './project-ranges.js';
import type {RangeGroups} from './range-groups.js';
import {buckets, chainsOfSites} from './site-chains.js';
import {emptyTotals, type RangeTotals} from './totals-columns.js';

/**
 * Returns the totals of each group. An operation counts once per group, however deep the group's ranges nest in each
 * other; the sum of `gpuSelfNs` and `backwardGpuSelfNs` over all rows is all chosen GPU work.
 */
export function rangeTotals(
  trace: Trace,
  attribution: Attribution,
  groups: RangeGroups,
  chosen: Chosen = everything,
): RangeTotals {
  const totals = emptyTotals(groups.length + buckets.length);
  const sites = chainsOfSites(attribution, groups);
  addCpuTime(trace, attribution, groups, sites, chosen, totals);
  addSelf(trace, attribution, groups, sites, chosen, totals);
  addWork(trace, attribution, sites, chosen, totals);
  addBusy(trace, attribution, sites, chosen, totals);
  addSpans(trace, attribution, groups, chosen, totals);
  addAssumed(trace, attribution, groups, chosen, totals);
  return totals;
}

/** Adds the instances for which something was assumed to the number of such operations. */
function addAssumed(
  {assumed}: Trace,
  {ranges: {slice}}: Attribution,
  {groupOf}: RangeGroups,
  {isSliceChosen}: Chosen,
  totals: RangeTotals,
): void {
  if (assumed.length === 0) return;
  const isAssumed = rowsIn(assumed);
  for (let range = 0; range < slice.length; range++) {
    const isCounted = groupOf[range] >= 0 && isAssumed(slice[range]) && (isSliceChosen?.(slice[range]) ?? true);
    if (isCounted) totals.assumed[groupOf[range]]++;
  }
}

/**
 * Sums over instances: the span from first start to last end of the operations launched inside, and how far it extends
 * past the instance's end.
 */
function addSpans(
  trace: Trace,
  attribution: Attribution,
  {groupOf}: RangeGroups,
  chosen: Chosen,
  totals: RangeTotals,
): void {
  const {startNs, durationNs} = trace.slices;
  const {slice} = attribution.ranges;
  const {fromNs, toNs} = projectRanges(trace, attribution, chosen);
  for (let range = 0; range < groupOf.length; range++) {
    const group = groupOf[range];
    if (group < 0 || !(toNs[range] >= fromNs[range])) continue;
    const row = slice[range];
    totals.countWithWork[group]++;
    totals.gpuSpanNs[group] += toNs[range] - fromNs[range];
    totals.gpuTailNs[group] += Math.max(0, toNs[range] - (startNs[row] + durationNs[row]));
  }
}
