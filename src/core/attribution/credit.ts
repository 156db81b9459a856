import type {Trace} from '../trace/trace.js';
import type {AutogradOperators} from './autograd-operators.js';
import {numberedOperators, operatorRole, type NumberedOperators} from './backward-operators.js';
import {findStacks, threadScopes, type Containers, type SiteStacks} from './find-stacks.js';
import {StackTreeBuilder} from './open-ranges.js';
import {isPersonsRange} from './persons-ranges.js';
import {distinctAscending} from '../table/search.js';

/** Stand in for a range where an operation has none. */
export const outsideAnyRange = -1;
export const backwardUnmatched = -2;

/** What is known of the work launched at a site, as bits. */
export const siteFlag = {
  /** Credited as backward work: autograd launched it for a forward operator. */
  backward: 1,
  /** A forward operator inside a backward one launched it: activation checkpointing runs the forward pass again. */
  recompute: 2,
  /** Autograd launched it to add a gradient to a parameter's. */
  accumulation: 4,
  /** Several threads have a forward operator that autograd may have launched it for: which it is was assumed. */
  assumed: 8,
} as const;

/** To whom the work launched at a site is credited, once. */
export interface SiteCredit {
  /** Site → range, `outsideAnyRange` or `backwardUnmatched`. */
  readonly range: Int32Array;
  /** Site → bits of `siteFlag`. */
  readonly flags: Uint8Array;
  /** Site → slice of the forward operator that autograd launched the work for, else -1. */
  readonly forwardSlice: Int32Array;
  /** Site → stack of the ranges around that operator, which count the work as backward. */
  readonly forward: Int32Array;
}

/** Whether work launched at a site is backward work, matched or not. */
export function isBackwardSite({range, flags}: SiteCredit, site: number): boolean {
  return range[site] === backwardUnmatched || (flags[site] & siteFlag.backward) !== 0;
}

/** What `creditSites` works on. */
export interface CreditInput {
  readonly trace: Trace;
  readonly operators: AutogradOperators;
  /** Range → row of the slices table. */
  readonly rangeSlice: Int32Array;
  /** The ranges that make a thread's stack. */
  readonly stacked: Containers;
  /** Where stacks of ranges are put. */
  readonly tree: StackTreeBuilder;
}

/**
 * Credits each launching site.
 *
 * Work that autograd launched goes to the range of the forward operator it belongs to, apart from forward work. A range
 * that a person opened inside the backward operator (recomputation, a communication hook) is nearer and takes it; a
 * range around the backward operator on the same thread takes it only where no forward operator is found. Where
 * operators or frames are ranges, those inside the backward operator are credited themselves.
 *
 * @param own what is around each site
 * @see docs/metrics.md#backward
 */
export function creditSites(input: CreditInput, sites: Int32Array, own: SiteStacks): SiteCredit {
  const operators = numberedOperators(input.trace, input.operators);
  if (!operators.hasBackward) {
    const none = new Int32Array(sites.length).fill(-1);
    return {range: own.innermost, flags: new Uint8Array(sites.length), forwardSlice: none, forward: none};
  }
  const links = linkSites(input, operators, sites, own, 0);
  const range = creditLinked(input, operators, sites, own.innermost, links);
  return {range, flags: links.flags, forwardSlice: links.slice, forward: links.node};
}

/** Site → range; adds to the flags of the links. */
function creditLinked(
  {trace, rangeSlice}: CreditInput,
  {isAutogradTrack}: NumberedOperators,
  sites: Int32Array,
  nearestOf: Int32Array,
  {slice, innermost, backwardNs, isInBackward, flags}: ForwardLinks,
): Int32Array {
  const {durationNs, track} = trace.slices;
  const {backward} = siteFlag;
  const range = new Int32Array(sites.length);
  for (let site = 0; site < sites.length; site++) {
    const nearest = nearestOf[site];
    const isNearer = nearest >= 0 && durationNs[rangeSlice[nearest]] < backwardNs[site];
    if (slice[site] >= 0 && !isNearer) {
      flags[site] |= backward;
      range[site] = innermost[site];
    } else if (nearest >= 0) range[site] = nearest;
    else {
      const isBackward = isInBackward[site] === 1 || isAutogradTrack[track[sites[site]]] === 1;
      range[site] = isBackward ? backwardUnmatched : outsideAnyRange;
    }
  }
  return range;
}

/** The forward operators that autograd launched something for, and the ranges around them. */
interface ForwardLinks {
  /** Site → slice of the forward operator, -1 for none; its stack, and the innermost range of that. */
  readonly slice: Int32Array;
  readonly node: Int32Array;
  readonly innermost: Int32Array;
  /** Site → length of the backward operator that says so; 0 for none. */
  readonly backwardNs: Float64Array;
  /** Site → 1 where a backward operator is around it. */
  readonly isInBackward: Uint8Array;
  readonly flags: Uint8Array;
}

/** Recomputation nests as deep as checkpoints do. */
const mostNestedCheckpoints = 16;

function linkSites(
  input: CreditInput,
  operators: NumberedOperators,
  sites: Int32Array,
  own: SiteStacks,
  depth: number,
): ForwardLinks {
  const links = {
    ...linksAround(input, operators, sites, own, depth > 0),
    node: new Int32Array(sites.length).fill(-1),
    innermost: new Int32Array(sites.length).fill(-1),
  };
  const distinct = distinctAscending(links.slice);
  if (distinct.values.length === 0) return links;
  const around = findStacks(input.trace, input.stacked, distinct.values, input.tree);
  // A forward operator that ran again inside a backward one belongs to what that belongs to.
  const {track} = input.trace.slices;
  const canBeAgain = distinct.values.some(row => operators.runsBackward[track[row]] === 1);
  const found = {...around, slice: distinct.values.slice()};
  if (canBeAgain && depth < mostNestedCheckpoints) {
    putWhereLinked(found, linkSites(input, operators, distinct.values, around, depth + 1));
  }
  putAtPlaces(links, distinct.placeOf, found);
  return links;
}

type LinkedStacks = SiteStacks & Pick<ForwardLinks, 'slice'>;

/** Each link of `from` in place of the one of `to`. */
function putWhereLinked(to: LinkedStacks, from: LinkedStacks): void {
  for (let at = 0; at < from.slice.length; at++) if (from.slice[at] >= 0) putLink(to, at, from, at);
}

/** Each link of `to` gets what `from` has of its slice. */
function putAtPlaces(to: LinkedStacks, placeOf: (slice: number) => number, from: LinkedStacks): void {
  for (let site = 0; site < to.slice.length; site++) {
    const place = placeOf(to.slice[site]);
    if (place >= 0) putLink(to, site, from, place);
  }
}

function putLink(to: LinkedStacks, at: number, from: LinkedStacks, place: number): void {
  to.slice[at] = from.slice[place];
  to.node[at] = from.node[place];
  to.innermost[at] = from.innermost[place];
}

/** What the operators around each site say. @param isEarlier whether a forward operator must begin before the site */
function linksAround(
  {trace, rangeSlice, tree, operators: {areRanges}}: CreditInput,
  operators: NumberedOperators,
  sites: Int32Array,
  own: SiteStacks,
  isEarlier: boolean,
): Omit<ForwardLinks, 'node' | 'innermost'> {
  const {startNs, durationNs} = trace.slices;
  const builder = new StackTreeBuilder();
  const containers = {rows: operators.slice, ids: null, scopeOfTrack: threadScopes(trace)};
  const around = findStacks(trace, containers, sites, builder).node;
  const {range, parent} = builder.finish();
  const {role, forward: forwardOf, slice: sliceOf, isForwardAssumed} = operators;
  const ranges = tree.soFar();
  const isPersons = isPersonsRange(trace, areRanges);
  const slice = new Int32Array(sites.length).fill(-1);
  const backwardNs = new Float64Array(sites.length);
  const isInBackward = new Uint8Array(sites.length);
  const flags = new Uint8Array(sites.length);
  for (let site = 0; site < sites.length; site++) {
    if (around[site] >= 0) flags[site] = flagsOf(site);
    if (isInBackward[site] === 1) linkForward(site, shortestNs(own.node[site]));
  }
  return {slice, backwardNs, isInBackward, flags};

  function flagsOf(site: number): number {
    let isUnderForward = false;
    let found = 0;
    for (let node = around[site]; node >= 0; node = parent[node]) {
      const operator = range[node];
      if (role[operator] === operatorRole.forward) {
        isUnderForward ||= sliceOf[operator] !== sites[site];
        continue;
      }
      isInBackward[site] = 1;
      if (isUnderForward) found |= siteFlag.recompute;
      if (role[operator] === operatorRole.accumulation) found |= siteFlag.accumulation;
    }
    return found;
  }

  /** The innermost backward operator of those that are no longer than `limitNs` and know their forward operator. */
  function linkForward(site: number, limitNs: number): void {
    for (let node = around[site]; node >= 0; node = parent[node]) {
      const operator = range[node];
      const forward = forwardOf[operator];
      const ns = durationNs[sliceOf[operator]];
      if (forward < 0 || ns > limitNs || (isEarlier && startNs[forward] >= startNs[sites[site]])) continue;
      slice[site] = forward;
      backwardNs[site] = ns;
      if (isForwardAssumed[operator] === 1) flags[site] |= siteFlag.assumed;
      return;
    }
  }

  /** The shortest of a stack's ranges that a person opened: it takes what autograd launches inside. */
  function shortestNs(stack: number): number {
    let leastNs = Infinity;
    for (let node = stack; node >= 0; node = ranges.parent[node]) {
      const row = rangeSlice[ranges.range[node]];
      if (durationNs[row] < leastNs && isPersons(row)) leastNs = durationNs[row];
    }
    return leastNs;
  }
}
