import type {Attribution} from '../attribution/attribute.js';
import {condensed} from '../attribution/condensed.js';
import {backwardUnmatched, outsideAnyRange, siteFlag} from '../attribution/credit.js';
import {backwardSorts} from '../figures/backward-unmatched.js';
import {PairIndex} from '../table/pair-index.js';
import {derived, derivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';
import {blockNames, type BlockNaming} from './block-names.js';
import type {FlameLevel} from './flame-graph.js';
import type {FlameTreeBuilder} from './flame-tree.js';
import {launchOperators} from './launch-operators.js';

/** Finds or creates the block directly above an operation. */
export interface LaunchStacks {
  placeOf(operation: number): number;
}

const operatorsAroundLaunchesKey = derivedKey<ReturnType<typeof launchOperators>>('operators around launches');

/**
 * Returns the blocks above GPU operations: the call path of the range to which an operation is credited; "(backward)"
 * and "(recompute)" for such work; and the PyTorch operators around its launch inside that range. Operations without a
 * range are below their bucket.
 */
export function launchStacks(
  trace: Trace,
  attribution: Attribution,
  levels: ReadonlySet<FlameLevel>,
  tree: FlameTreeBuilder,
  naming: BlockNaming,
): LaunchStacks {
  const {isInTimeOrder, isFolded} = naming;
  const textOf = blockNames(trace, naming);
  const {slices} = trace;
  const {sites} = attribution;
  const sortOf = backwardSorts(trace, attribution);
  // Sites are those of the trace, whatever counts as a range.
  const around = levels.has('operators')
    ? derived(trace, operatorsAroundLaunchesKey, () => launchOperators(trace, sites.slice))
    : null;
  const operators = around !== null && around.paths.length > 0 ? around : null;
  const hasRanges = levels.has('ranges') || levels.has('modules');
  // Ranges of one call path are one block, except in time order, or if modules are folded by what is in them.
  const alike = hasRanges && !isInTimeOrder && !isFolded ? condensed(trace, attribution) : null;
  const {credit, ranges} = alike ?? attribution;
  const nodeOfRange = new Int32Array(ranges.slice.length).fill(-1);
  /** Site, or kind of sites → the block that its operators are in. */
  const placeOfKind = new Int32Array(credit.range.length).fill(-1);
  const nodeOfPath = new PairIndex();
  const chain: number[] = [];
  const noLaunch = tree.name('(no launch call)');
  const noOperator = tree.name('(no operator)');
  return {placeOf};

  function placeOf(operation: number): number {
    const site = sites.siteOf[operation];
    if (site < 0) return tree.child(0, noLaunch, 'bucket');
    const kind = alike === null ? site : alike.kindOf[site];
    const isUnmatched = hasRanges && credit.range[kind] === backwardUnmatched;
    // Operations launched by one call may be of several sorts.
    if (isUnmatched) return belowOperators(site, tree.child(rangePlace(kind), tree.name(sortOf(operation)), 'bucket'));
    const node = belowOperators(site, hasRanges ? rangePlace(kind) : 0);
    return node > 0 || levels.has('operations') ? node : tree.child(0, noOperator, 'bucket');
  }

  function rangePlace(kind: number): number {
    if (isInTimeOrder || placeOfKind[kind] < 0) placeOfKind[kind] = newPlace(credit.range[kind], credit.flags[kind]);
    return placeOfKind[kind];
  }

  function newPlace(range: number, flags: number): number {
    if (range === backwardUnmatched) return tree.child(0, tree.name('(backward, unmatched)'), 'bucket');
    const isOutside = range === outsideAnyRange;
    let node = isOutside ? tree.child(0, tree.name('(outside any range)'), 'bucket') : rangeNode(range);
    if ((flags & siteFlag.backward) !== 0) node = tree.child(node, tree.name('(backward)'), 'backward');
    if ((flags & siteFlag.recompute) !== 0) node = tree.child(node, tree.name('(recompute)'), 'backward');
    return node;
  }

  // A loop, not recursion: a file may nest ranges deeper than the call stack allows.
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
    const range = attribution.credit.range[site];
    const isBackward = (attribution.credit.flags[site] & siteFlag.backward) !== 0;
    // Both surround the call, so the shorter one is inside.
    const isLimited = hasRanges && range >= 0 && !isBackward;
    const limitNs = isLimited ? slices.durationNs[attribution.ranges.slice[range]] : Infinity;
    if (!isInTimeOrder && operators.longestNs[site] <= limitNs) return pathNode(place, operators.path[site]);
    chain.length = 0;
    for (let stack = operators.node[site]; stack >= 0; stack = operators.parent[stack]) {
      const row = operators.slice[stack];
      if (slices.durationNs[row] <= limitNs) chain.push(row);
    }
    let node = place;
    for (let i = chain.length - 1; i >= 0; i--) {
      node = tree.child(node, nameOf(chain[i]), 'operator', isInTimeOrder ? chain[i] : -1);
    }
    return node;
  }

  /** Returns the block of all operators of a path, below another block. */
  function pathNode(place: number, path: number): number {
    if (operators === null || path < 0) return place;
    const known = nodeOfPath.get(place, path);
    if (known >= 0) return known;
    chain.length = 0;
    for (let at = path; at >= 0; at = operators.paths[at].parent) chain.push(at);
    let node = place;
    for (let i = chain.length - 1; i >= 0; i--) {
      node = tree.child(node, tree.name(operators.paths[chain[i]].name), 'operator');
    }
    nodeOfPath.set(place, path, node);
    return node;
  }

  function nameOf(row: number): number {
    return tree.name(textOf(row));
  }
}
