import {lowerBound} from '../table/search.js';
import {derived, derivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';
import {callOfSlice, operationOfSlice, operationsOfCall} from '../figures/operation-of-slice.js';
import {attributionOf} from '../scope/attribution-of.js';
import {sliceDetails, type SliceDetails} from './slice-details.js';

/**
 * The relation of two slices: a call and what it launched; a forward operator and its backward work; a wait and what it
 * waits for.
 */
export type SliceLinkKind = 'launch' | 'backward' | 'wait';

/** A flow with a selected slice at one end. */
export interface SliceLink {
  readonly kind: SliceLinkKind;
  readonly from: SliceDetails;
  readonly to: SliceDetails;
}

/** A graph launch has thousands of kernels, but no screen can show more arrows. */
const mostLinks = 100;

/**
 * Returns the flows into and out of a slice: incoming flows first, each in order of start, at most 100. None for a row
 * that does not exist.
 *
 * @see docs/metrics.md#launch and #backward
 */
export function sliceLinks(trace: Trace, slice: number): SliceLink[] {
  const own = sliceDetails(trace, slice);
  if (!own) return [];
  const into: [SliceLinkKind, number][] = [];
  const outOf: [SliceLinkKind, number][] = [];
  addLaunches(trace, slice, into, outOf);
  addBackward(trace, slice, into, outOf);
  const startOf = (row: number) => trace.slices.startNs[row];
  const ordered = (links: [SliceLinkKind, number][]) => links.sort(([, a], [, b]) => startOf(a) - startOf(b) || a - b);
  return [
    ...ordered(into).flatMap(([kind, row]) => linkOf(kind, sliceDetails(trace, row), own)),
    ...ordered(outOf).flatMap(([kind, row]) => linkOf(kind, own, sliceDetails(trace, row))),
  ].slice(0, mostLinks);
}

/** Returns the flow between two rows of the slices table; none if one of them does not exist. */
export function linkBetween(trace: Trace, kind: SliceLinkKind, from: number, to: number): SliceLink[] {
  return linkOf(kind, sliceDetails(trace, from), sliceDetails(trace, to));
}

function linkOf(kind: SliceLinkKind, from: SliceDetails | null, to: SliceDetails | null): SliceLink[] {
  return from && to ? [{kind, from, to}] : [];
}

type Ends = [SliceLinkKind, number][];

function addLaunches(trace: Trace, slice: number, into: Ends, outOf: Ends): void {
  const {gpuOperations} = trace;
  const operation = operationOfSlice(trace, slice);
  if (operation >= 0) {
    const {sites, credit} = attributionOf(trace);
    const site = sites.siteOf[operation];
    if (site < 0) return;
    into.push(['launch', sites.slice[site]]);
    if (credit.forwardSlice[site] >= 0) into.push(['backward', credit.forwardSlice[site]]);
    return;
  }
  const call = callOfSlice(trace, slice);
  if (call < 0) return;
  for (const launched of operationsOfCall(trace, call)) {
    if (outOf.length >= mostLinks) return;
    outOf.push(['launch', gpuOperations.slice[launched]]);
  }
}

function addBackward(trace: Trace, slice: number, into: Ends, outOf: Ends): void {
  const {forward, backward} = backwardPairs(trace);
  for (let at = lowerBound(forward.key, slice); at < forward.key.length && forward.key[at] === slice; at++) {
    outOf.push(['backward', forward.other[at]]);
  }
  for (let at = lowerBound(backward.key, slice); at < backward.key.length && backward.key[at] === slice; at++) {
    into.push(['backward', backward.other[at]]);
  }
}

const backwardPairsKey = derivedKey<Record<'forward' | 'backward', Pairs>>('backward pairs');

/** Returns the pairs of operators that the file itself links, indexed by either end. */
function backwardPairs(trace: Trace): {forward: Pairs; backward: Pairs} {
  return derived(trace, backwardPairsKey, () => ({
    forward: pairsBy(trace.forwardBackward, 0),
    backward: pairsBy(trace.forwardBackward, 1),
  }));
}

interface Pairs {
  /** Ascending. */
  readonly key: Int32Array;
  readonly other: Int32Array;
}

function pairsBy(pairs: Int32Array, end: 0 | 1): Pairs {
  const order = Uint32Array.from({length: pairs.length / 2}, (_, pair) => pair);
  order.sort((a, b) => pairs[2 * a + end] - pairs[2 * b + end] || a - b);
  return {
    key: Int32Array.from(order, pair => pairs[2 * pair + end]),
    other: Int32Array.from(order, pair => pairs[2 * pair + 1 - end]),
  };
}
