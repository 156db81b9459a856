import {derived, derivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';
import {numberedOperators, operatorRole, type NumberedOperators} from './backward-operators.js';
import {findStacks, threadScopes, type Containers, type SiteStacks} from './find-stacks.js';
import {launchSites} from './launch-sites.js';
import {StackTreeBuilder, type StackTree} from './open-ranges.js';
import {isPersonsRange} from './persons-ranges.js';
import {distinctAscending} from '../table/search.js';

/** Values that replace a range if an operation has none. */
export const outsideAnyRange = -1;
export const backwardUnmatched = -2;

/** Facts about the work launched at a site, as bits. */
export const siteFlag = {
  /** Credited as backward work: autograd launched it for a forward operator. */
  backward: 1,
  /** A forward operator inside a backward one launched it: activation checkpointing reruns the forward pass. */
  recompute: 2,
  /** Autograd launched it to add a gradient to a parameter's gradient. */
  accumulation: 4,
  /** Autograd may have launched it for forward operators of several threads: one of them was assumed. */
  assumed: 8,
} as const;

/** The range that the work launched at a site is credited to, once. */
export interface SiteCredit {
  /** Site → range, `outsideAnyRange` or `backwardUnmatched`. */
  readonly range: Int32Array;
  /** Site → bits of `siteFlag`. */
  readonly flags: Uint8Array;
  /** Site → slice of the forward operator that autograd launched the work for, -1 if none. */
  readonly forwardSlice: Int32Array;
  /** Site → stack of the ranges around that operator, which count the work as backward. */
  readonly forward: Int32Array;
}

/** Returns whether the work launched at a site is backward work, matched or not. */
export function isBackwardSite({range, flags}: SiteCredit, site: number): boolean {
  return range[site] === backwardUnmatched || (flags[site] & siteFlag.backward) !== 0;
}

/** The input of `creditSites`. */
export interface CreditInput {
  readonly trace: Trace;
  /** Range → row of the slices table. */
  readonly rangeSlice: Int32Array;
  /** The ranges that form a thread's stack. */
  readonly stacked: Containers;
  /** The tree that stacks of ranges are added to; null if only `SiteCredit.range` is needed. */
  readonly tree: StackTreeBuilder | null;
  /**
   * Returns the innermost range around an operator, by its row of the slices table, -1 for none: what a sweep would
   * find. Null if only a sweep tells.
   */
  readonly innermostAround: ((row: number) => number) | null;
}

/**
 * Credits each launching site of a trace.
 *
 * Work launched by autograd is credited to the range of its forward operator, separately from forward work. A range
 * that the user opened inside the backward operator (recomputation, a communication hook) is nearer and takes the work;
 * a range around the backward operator on the same thread takes it only if no forward operator is found. If operators
 * or frames are ranges, the ones inside the backward operator are credited themselves.
 *
 * @param own the stack around each site
 * @see docs/metrics.md#backward
 */
export function creditSites(input: CreditInput, own: SiteStacks): SiteCredit {
  const sites = launchSites(input.trace).slice;
  const operators = numberedOperators(input.trace);
  if (!operators.hasBackward) {
    const none = new Int32Array(sites.length).fill(-1);
    return {range: own.innermost, flags: new Uint8Array(sites.length), forwardSlice: none, forward: none};
  }
  const links = linkSites(input, operators, {sites, own, numbered: numberedStacks(input.trace)}, 0);
  const range = creditLinked(input, operators, sites, own.innermost, links);
  return {range, flags: links.flags, forwardSlice: links.slice, forward: links.node};
}

/** Returns the credited range of each site, and adds to the flags of the links. */
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
  /**
   * Site → slice of the forward operator, -1 for none; `node` is its stack, `innermost` the innermost range of the
   * stack.
   */
  readonly slice: Int32Array;
  readonly node: Int32Array;
  readonly innermost: Int32Array;
  /** Site → duration of the backward operator that names the forward one; 0 for none. */
  readonly backwardNs: Float64Array;
  /** Site → 1 if it is inside a backward operator. */
  readonly isInBackward: Uint8Array;
  readonly flags: Uint8Array;
}

/** A limit on nested recomputation, which nests as deep as checkpoints do. */
const mostNestedCheckpoints = 16;

/** The sites to link. */
interface LinkedSites {
  readonly sites: Int32Array;
  /** The stack of ranges around each site. */
  readonly own: SiteStacks;
  readonly numbered: NumberedStacks;
}

/** The numbered operators around each site. */
export interface NumberedStacks {
  /** Site → node of `stacks`, whose ranges are numbered operators. */
  readonly node: Int32Array;
  readonly stacks: StackTree;
}

const numberedStacksKey = derivedKey<NumberedStacks>('numbered operators around launches');

/** Returns the stacks around the launching sites of a trace, which are the same for all choices of ranges. */
export function numberedStacks(trace: Trace): NumberedStacks {
  return derived(trace, numberedStacksKey, () =>
    findNumberedStacks(trace, numberedOperators(trace), launchSites(trace).slice),
  );
}

function findNumberedStacks(trace: Trace, {slice}: NumberedOperators, sites: Int32Array): NumberedStacks {
  const builder = new StackTreeBuilder();
  const {node} = findStacks(trace, {rows: slice, ids: null, scopeOfTrack: threadScopes(trace)}, sites, builder);
  return {node, stacks: builder.finish()};
}

function linkSites(input: CreditInput, operators: NumberedOperators, linked: LinkedSites, depth: number): ForwardLinks {
  const {sites} = linked;
  const links: ForwardLinks = {
    ...linksAround(input, operators, linked, depth > 0),
    node: new Int32Array(sites.length).fill(-1),
    innermost: new Int32Array(sites.length).fill(-1),
  };
  const {innermostAround} = input;
  const {track} = input.trace.slices;
  if (innermostAround && !links.slice.some(row => row >= 0 && operators.runsBackward[track[row]] === 1)) {
    for (let site = 0; site < sites.length; site++) {
      if (links.slice[site] >= 0) links.innermost[site] = innermostAround(links.slice[site]);
    }
    return links;
  }
  const distinct = distinctAscending(links.slice);
  if (distinct.values.length === 0) return links;
  const around = findStacks(input.trace, input.stacked, distinct.values, input.tree);
  // A forward operator that was rerun inside a backward one belongs to the forward operator of that backward one.
  const canBeAgain = distinct.values.some(row => operators.runsBackward[track[row]] === 1);
  const found = {...around, slice: distinct.values.slice()};
  if (canBeAgain && depth < mostNestedCheckpoints) {
    const numbered = findNumberedStacks(input.trace, operators, distinct.values);
    putWhereLinked(found, linkSites(input, operators, {sites: distinct.values, own: around, numbered}, depth + 1));
  }
  putAtPlaces(links, distinct.placeOf, found);
  return links;
}

type LinkedStacks = SiteStacks & Pick<ForwardLinks, 'slice'>;

/** Replaces links of `to` by those that `from` has at the same index. */
function putWhereLinked(to: LinkedStacks, from: LinkedStacks): void {
  for (let at = 0; at < from.slice.length; at++) if (from.slice[at] >= 0) putLink(to, at, from, at);
}

/** Replaces each link of `to` by the link that `from` has for its slice. */
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

/**
 * Links each site by the operators around it. @param isEarlier whether a forward operator must begin before the site
 */
function linksAround(
  {trace, rangeSlice, tree}: CreditInput,
  operators: NumberedOperators,
  {sites, own, numbered}: LinkedSites,
  isEarlier: boolean,
): Omit<ForwardLinks, 'node' | 'innermost'> {
  const {startNs, durationNs} = trace.slices;
  const {
    node: around,
    stacks: {range, parent},
  } = numbered;
  const {role, forward: forwardOf, slice: sliceOf, isForwardAssumed} = operators;
  const ranges = (tree ?? new StackTreeBuilder()).soFar();
  const isPersons = isPersonsRange(trace, operators.areRanges);
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

  /** Links the innermost backward operator that is no longer than `limitNs` and has a known forward operator. */
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

  /** Returns the duration of a stack's shortest range opened by the user: it takes what autograd launches inside. */
  function shortestNs(stack: number): number {
    let leastNs = Infinity;
    for (let node = stack; node >= 0; node = ranges.parent[node]) {
      const row = rangeSlice[ranges.range[node]];
      if (durationNs[row] < leastNs && isPersons(row)) leastNs = durationNs[row];
    }
    return leastNs;
  }
}
