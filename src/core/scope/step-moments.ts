import type {RangeGroups} from '../attribution/range-groups.js';
import type {SiteChains} from '../attribution/site-chains.js';
import type {Attribution} from '../attribution/attribute.js';
import {groupRows} from '../table/group-rows.js';
import type {Trace} from '../trace/trace.js';
import type {StepScope} from './step-scope.js';

/** How a group's figure varies between steps. */
export interface StepMoments {
  readonly squares: Float64Array;
}

/**
 * Returns, for each group, the sum over the steps of the square of its work in the step, forward and backward together;
 * ns². O(operations × nested groups).
 */
export function stepMoments(
  {slices, gpuOperations}: Trace,
  {sites}: Attribution,
  {chains, forward, backward}: SiteChains,
  {operations: {rows, offsets}, numbers}: StepScope,
  groupCount: number,
): StepMoments {
  const {group, parent} = chains;
  const squares = new Float64Array(groupCount);
  const workNs = new Float64Array(groupCount);
  const touched: number[] = [];
  const add = (innermost: number, ns: number) => {
    for (let chain = innermost; chain >= 0; chain = parent[chain]) {
      const at = group[chain];
      // Buckets come after the groups.
      if (at >= groupCount) continue;
      if (workNs[at] === 0) touched.push(at);
      workNs[at] += ns;
    }
  };
  for (let step = 0; step < numbers.length; step++) {
    for (let i = offsets[step]; i < offsets[step + 1]; i++) {
      const site = sites.siteOf[rows[i]];
      if (site < 0) continue;
      const ns = slices.durationNs[gpuOperations.slice[rows[i]]];
      add(forward[site], ns);
      add(backward[site], ns);
    }
    for (const at of touched) {
      squares[at] += workNs[at] * workNs[at];
      workNs[at] = 0;
    }
    touched.length = 0;
  }
  return {squares};
}

/**
 * Returns the same for wall time: for each group, the sum over the steps of the square of its ranges' wall time in the
 * step; ns².
 */
export function wallMoments(
  {slices}: Trace,
  {ranges}: Attribution,
  {groupOf, length}: RangeGroups,
  {stepOfSlice, numbers}: StepScope,
): StepMoments {
  const stepOf = ranges.slice.map((row, range) => (groupOf[range] < 0 ? -1 : stepOfSlice(row)));
  const {rows, offsets} = groupRows(stepOf, numbers.length);
  const squares = new Float64Array(length);
  const wallNs = new Float64Array(length);
  for (let step = 0; step < numbers.length; step++) {
    const own = rows.subarray(offsets[step], offsets[step + 1]);
    for (const range of own) wallNs[groupOf[range]] += slices.durationNs[ranges.slice[range]];
    for (const range of own) {
      const group = groupOf[range];
      squares[group] += wallNs[group] * wallNs[group];
      wallNs[group] = 0;
    }
  }
  return {squares};
}

/** Returns the sample standard deviation from the sum and the sum of squares; NaN for fewer than two values. */
export function deviationOf(sum: number, squares: number, count: number): number {
  if (count < 2) return NaN;
  return Math.sqrt(Math.max(0, squares - (sum * sum) / count) / (count - 1));
}
