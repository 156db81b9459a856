import type {Attribution} from '../attribution/attribute.js';
import {backwardUnmatched, outsideAnyRange, siteFlag} from '../attribution/credit.js';
import {findStacks, threadScopes} from '../attribution/find-stacks.js';
import {StackTreeBuilder} from '../attribution/open-ranges.js';
import {rowsOfKinds} from '../attribution/ranges.js';
import {foldName} from '../format/operator-name.js';
import {backwardSorts} from '../queries/backward-unmatched.js';
import type {SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import type {FlameLevel} from './flame-graph.js';
import type {FlameTreeBuilder} from './flame-tree.js';

/** Finds the block that stands right above an operation, and makes it. */
export interface LaunchStacks {
  placeOf(operation: number): number;
}

/**
 * The blocks above GPU operations: the call path of the range that an operation is credited to, "(backward)" and
 * "(recompute)" where it is such work, and the PyTorch operators around its launch that lie inside that range. What is
 * credited to no range stands below its bucket.
 */
export function launchStacks(
  trace: Trace,
  attribution: Attribution,
  levels: ReadonlySet<FlameLevel>,
  tree: FlameTreeBuilder,
  isInTimeOrder: boolean,
): LaunchStacks {
  const {slices, strings} = trace;
  const {sites, credit, ranges} = attribution;
  const sortOf = backwardSorts(trace, attribution);
  const operators = levels.has('operators') ? operatorStacks(trace, sites.slice) : null;
  const hasRanges = levels.has('ranges');
  const nodeOfSite = new Int32Array(sites.slice.length).fill(-1);
  const nodeOfRange = new Int32Array(ranges.slice.length).fill(-1);
  const names = new Int32Array(strings.length).fill(-1);
  const chain: number[] = [];
  const noLaunch = tree.name('(no launch call)');
  const noOperator = tree.name('(no operator)');
  return {placeOf};

  function placeOf(operation: number): number {
    const site = sites.siteOf[operation];
    if (site < 0) return tree.child(0, noLaunch, 'bucket');
    const isUnmatched = hasRanges && credit.range[site] === backwardUnmatched;
    // What one call launches may be of several sorts.
    if (isUnmatched) return belowOperators(site, tree.child(rangePlace(site), tree.name(sortOf(operation)), 'bucket'));
    if (!isInTimeOrder && nodeOfSite[site] >= 0) return nodeOfSite[site];
    const node = belowOperators(site, hasRanges ? rangePlace(site) : 0);
    nodeOfSite[site] = node;
    if (node > 0 || levels.has('operations')) return node;
    return tree.child(0, noOperator, 'bucket');
  }

  function rangePlace(site: number): number {
    const range = credit.range[site];
    if (range === backwardUnmatched) return tree.child(0, tree.name('(backward, unmatched)'), 'bucket');
    let place =
      range === outsideAnyRange ? tree.child(0, tree.name('(outside any range)'), 'bucket') : rangeNode(range);
    const flags = credit.flags[site];
    if ((flags & siteFlag.backward) !== 0) place = tree.child(place, tree.name('(backward)'), 'backward');
    if ((flags & siteFlag.recompute) !== 0) place = tree.child(place, tree.name('(recompute)'), 'backward');
    return place;
  }

  // Loops, not recursion: a file may nest ranges deeper than a stack holds.
  function rangeNode(range: number): number {
    chain.length = 0;
    let at = range;
    for (; at >= 0 && (isInTimeOrder || nodeOfRange[at] < 0); at = ranges.parent[at]) chain.push(at);
    let node = at < 0 ? 0 : nodeOfRange[at];
    for (let i = chain.length - 1; i >= 0; i--) {
      node = tree.child(node, nameOf(ranges.slice[chain[i]]), 'range', isInTimeOrder ? chain[i] : -1);
      nodeOfRange[chain[i]] = node;
    }
    return node;
  }

  function belowOperators(site: number, place: number): number {
    if (operators === null) return place;
    const range = credit.range[site];
    const isBackward = (credit.flags[site] & siteFlag.backward) !== 0;
    // Both are around the call, so the shorter one lies inside.
    const limitNs = !hasRanges || range < 0 || isBackward ? Infinity : slices.durationNs[ranges.slice[range]];
    chain.length = 0;
    for (let stack = operators.node[site]; stack >= 0; stack = operators.parent[stack]) {
      const row = operators.rows[operators.range[stack]];
      if (slices.durationNs[row] <= limitNs) chain.push(row);
    }
    let node = place;
    for (let i = chain.length - 1; i >= 0; i--) {
      node = tree.child(node, nameOf(chain[i]), 'operator', isInTimeOrder ? chain[i] : -1);
    }
    return node;
  }

  function nameOf(row: number): number {
    const name = slices.name[row];
    if (names[name] < 0) names[name] = tree.name(isInTimeOrder ? strings.get(name) : foldName(strings.get(name)));
    return names[name];
  }
}

/** The PyTorch operators around each site: `rows` by the range of a stack's node, and the stacks themselves. */
function operatorStacks(
  trace: Trace,
  sites: Int32Array,
): {rows: Int32Array; node: Int32Array; range: Int32Array; parent: Int32Array} {
  const rows = rowsOfKinds(trace, new Set<SliceKind>(['cpu_op']));
  const builder = new StackTreeBuilder();
  const {node} = findStacks(trace, {rows, ids: null, scopeOfTrack: threadScopes(trace)}, sites, builder);
  return {rows, node, ...builder.finish()};
}
