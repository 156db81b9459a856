import type {Trace} from '../trace/trace.js';
import {findBackwardOperators, type BackwardOperators} from './backward-operators.js';
import {findStacks, threadScopes, type Containers, type SiteStacks} from './find-stacks.js';
import {StackTreeBuilder} from './open-ranges.js';

/** Stand in for a range where an operation has none. */
export const outsideAnyRange = -1;
export const backwardUnmatched = -2;

/** To whom the work launched at a site is credited, once. */
export interface SiteCredit {
  /** Site → range, `outsideAnyRange` or `backwardUnmatched`. */
  readonly range: Int32Array;
  /** Site → row of the operators table of the forward operator that autograd launched the work for, else -1. */
  readonly forwardOperator: Int32Array;
  /** Site → stack of the ranges around that operator. */
  readonly forward: Int32Array;
}

/**
 * Credits each launching site.
 *
 * Work that autograd launched goes to the range of the forward operator it belongs to, apart from forward work. A range
 * that was opened inside the backward operator (recomputation, a communication hook) is nearer and takes it; a range
 * around the backward operator on the same thread takes it only where no forward operator is found.
 *
 * @param rangeSlice range → row of the slices table
 * @param ranges those that make a thread's stack
 * @param own what is around each site
 * @see docs/metrics.md#backward
 */
export function creditSites(
  trace: Trace,
  rangeSlice: Int32Array,
  ranges: Containers,
  sites: Int32Array,
  own: SiteStacks,
  tree: StackTreeBuilder,
): SiteCredit {
  const backward = findBackwardOperators(trace);
  if (backward.slice.length === 0) {
    const none = new Int32Array(sites.length).fill(-1);
    return {range: own.innermost, forwardOperator: none, forward: none};
  }
  const {range, forwardOperator} = creditOwn(trace, rangeSlice, sites, own, backward);
  const forward = creditForward(trace, ranges, tree, forwardOperator, range);
  return {range, forwardOperator, forward};
}

/** The nearest range of each site, and the forward operator that comes before it. */
function creditOwn(
  trace: Trace,
  rangeSlice: Int32Array,
  sites: Int32Array,
  own: SiteStacks,
  backward: BackwardOperators,
): {range: Int32Array; forwardOperator: Int32Array} {
  const {durationNs, track} = trace.slices;
  const builder = new StackTreeBuilder();
  const containers = {rows: backward.slice, ids: null, scopeOfTrack: threadScopes(trace)};
  const around = findStacks(trace, containers, sites, builder).node;
  const tree = builder.finish();
  const range = new Int32Array(sites.length);
  const forwardOperator = new Int32Array(sites.length);
  for (let site = 0; site < sites.length; site++) {
    const nearest = own.innermost[site];
    const isInBackward = around[site] >= 0 || backward.isAutogradTrack[track[sites[site]]] === 1;
    forwardOperator[site] = forwardOf(around[site], nearest < 0 ? Infinity : durationNs[rangeSlice[nearest]]);
    range[site] = nearest >= 0 ? nearest : isInBackward ? backwardUnmatched : outsideAnyRange;
  }
  return {range, forwardOperator};

  /** The forward operator of the innermost backward operator that lies inside the nearest range. */
  function forwardOf(stack: number, limitNs: number): number {
    for (let node = stack; node >= 0; node = tree.parent[node]) {
      const operator = tree.range[node];
      if (backward.forward[operator] >= 0 && durationNs[backward.slice[operator]] <= limitNs) {
        return backward.forward[operator];
      }
    }
    return -1;
  }
}

/** The stacks around forward operators; writes the range that each credits into `range`. */
function creditForward(
  trace: Trace,
  ranges: Containers,
  tree: StackTreeBuilder,
  forwardOperator: Int32Array,
  range: Int32Array,
): Int32Array {
  const {operators} = trace;
  const placeOf = new Int32Array(operators.length).fill(-1);
  let count = 0;
  for (const operator of forwardOperator) {
    if (operator < 0 || placeOf[operator] === 0) continue;
    placeOf[operator] = 0;
    count++;
  }
  const rows = new Int32Array(count);
  for (let operator = 0, place = 0; place < count; operator++) {
    if (placeOf[operator] < 0) continue;
    placeOf[operator] = place;
    rows[place++] = operators.slice[operator];
  }
  const around = findStacks(trace, ranges, rows, tree);
  const forward = new Int32Array(forwardOperator.length).fill(-1);
  for (let site = 0; site < forwardOperator.length; site++) {
    if (forwardOperator[site] < 0) continue;
    const place = placeOf[forwardOperator[site]];
    forward[site] = around.node[place];
    range[site] = around.innermost[place];
  }
  return forward;
}
