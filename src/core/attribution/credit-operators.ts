import {lowerBound} from '../table/search.js';
import type {Trace} from '../trace/trace.js';
import {numberedOperators, operatorRole, type NumberedOperators} from './backward-operators.js';
import {backwardUnmatched, creditSites, numberedStacks, outsideAnyRange, type SiteCredit} from './credit.js';
import {findStacks, threadScopes} from './find-stacks.js';
import {launchSites, type LaunchSites} from './launch-sites.js';
import type {StackTree} from './open-ranges.js';
import type {Ranges} from './ranges.js';

/** The part of an attribution that tells whose GPU work is. */
export interface Credits {
  readonly ranges: Pick<Ranges, 'slice'>;
  readonly sites: LaunchSites;
  readonly credit: Pick<SiteCredit, 'range'>;
}

/**
 * Returns the same credits as `attribute`, in less time and memory: without stacks and parents.
 *
 * @param slice the rows of all operators in the slices table, ascending. Ranges of a person are not allowed: they decide
 * which forward operator is found, and only `attribute` has the stacks to tell.
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function creditOperators(trace: Trace, slice: Int32Array): Credits {
  const sites = launchSites(trace);
  const stacked = {rows: slice, ids: null, scopeOfTrack: threadScopes(trace)};
  const own = findStacks(trace, stacked, sites.slice, null);
  // Operators that NVTX ranges name are not in `slice`.
  const innermostAround = numberedOperators(trace).areRanges ? null : rangeOfOperator(trace, slice);
  const credit = creditSites({trace, rangeSlice: slice, stacked, tree: null, innermostAround}, own);
  return {ranges: {slice}, sites, credit};
}

/**
 * Returns the innermost range around each operator if the ranges are operators: itself, or the last of those after it
 * with the same bounds.
 */
function rangeOfOperator({slices}: Trace, ranges: Int32Array): (row: number) => number {
  const {startNs, durationNs, track} = slices;
  const isSame = (row: number, other: number) =>
    startNs[row] === startNs[other] && durationNs[row] === durationNs[other] && track[row] === track[other];
  return row => {
    let range = lowerBound(ranges, row);
    while (range + 1 < ranges.length && isSame(ranges[range + 1], row)) range++;
    return range;
  };
}

/**
 * Returns what `attribute` credits if there are no ranges: the bucket of each site.
 *
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function creditWithoutRanges(trace: Trace): Credits {
  const sites = launchSites(trace);
  const range = new Int32Array(sites.slice.length).fill(outsideAnyRange);
  const operators = numberedOperators(trace);
  if (operators.hasBackward) {
    const {node: nodeOf, stacks} = numberedStacks(trace);
    const {isInBackward, isLinked} = backwardStacks(stacks, operators);
    const {track} = trace.slices;
    for (let site = 0; site < range.length; site++) {
      const node = nodeOf[site];
      if (node >= 0 && isLinked[node] === 1) continue;
      const isInside = node >= 0 && isInBackward[node] === 1;
      if (isInside || operators.isAutogradTrack[track[sites.slice[site]]] === 1) range[site] = backwardUnmatched;
    }
  }
  return {ranges: {slice: new Int32Array(0)}, sites, credit: {range}};
}

/** Returns by stack whether it has a backward operator, and whether it has one whose forward operator is known. */
function backwardStacks(
  {length, range, parent}: StackTree,
  {role, forward}: NumberedOperators,
): {isInBackward: Uint8Array; isLinked: Uint8Array} {
  const isInBackward = new Uint8Array(length);
  const isLinked = new Uint8Array(length);
  for (let node = 0; node < length; node++) {
    const around = parent[node];
    isInBackward[node] = Number(role[range[node]] !== operatorRole.forward);
    isLinked[node] = Number(forward[range[node]] >= 0);
    if (around < 0) continue;
    isInBackward[node] |= isInBackward[around];
    isLinked[node] |= isLinked[around];
  }
  return {isInBackward, isLinked};
}
