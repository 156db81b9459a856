import {orderByTrackAndStart} from '../table/sort.js';
import type {Trace} from '../trace/trace.js';
import {creditSites, type SiteCredit} from './credit.js';
import {findStacks, threadScopes, type Containers} from './find-stacks.js';
import {launchSites, type LaunchSites} from './launch-sites.js';
import {StackTreeBuilder, type StackTree} from './open-ranges.js';
import {rowsOfRanges, splitOverlay, type RangeChoice, type Ranges} from './ranges.js';

/**
 * Which range each GPU operation belongs to.
 *
 *     operation → site (the launching call) → credit (one range or bucket, forward or backward)
 *                                           → own, overlay, forward (the stacks that count it in their totals)
 *
 * Ranges are named by their index in `ranges`, stacks by their node in `stacks`, -1 for an empty one.
 */
export interface Attribution {
  readonly ranges: Ranges;
  readonly sites: LaunchSites;
  readonly stacks: StackTree;
  /** Site → stack of the ranges around the launching call on its own thread. */
  readonly own: Int32Array;
  /** Site → stack of the NVTX start/end ranges of the process that are open around the launching call. */
  readonly overlay: Int32Array;
  readonly credit: SiteCredit;
}

/**
 * Attributes every GPU operation to the chosen ranges.
 *
 * One sweep over all threads, O(n) in nested slices. Every operation is credited once, to a range or to a bucket, so
 * that credits add up to all GPU work.
 *
 * @throws TraceError `trace/too-many-open-ranges`
 * @see docs/metrics.md#attribution
 */
export function attribute(trace: Trace, choice: RangeChoice): Attribution {
  const slice = rowsOfRanges(trace, choice);
  const {stacked, overlay} = splitOverlay(trace, slice);
  const parent = new Int32Array(slice.length).fill(-1);
  const ranges = {slice, parent};
  const sites = launchSites(trace);
  const tree = new StackTreeBuilder();
  const containers = containersOf(slice, stacked, threadScopes(trace));
  const own = findStacks(trace, containers, sites.slice, tree, parent);
  const overlayNodes = overlayStacks(trace, slice, overlay, sites.slice, tree);
  const credit = creditSites({trace, rangeSlice: slice, stacked: containers, tree, innermostAround: null}, own);
  return {ranges, sites, stacks: tree.finish(), own: own.node, overlay: overlayNodes, credit};
}

/** Returns the ranges at `ids` as containers; null stands for all ranges. */
function containersOf(slice: Int32Array, ids: Int32Array | null, scopeOfTrack: Int32Array): Containers {
  return {rows: ids === null ? slice : rowsAt(slice, ids), ids, scopeOfTrack};
}

/**
 * Returns the stack of start/end ranges around each site. NVTX start/end ranges belong to a process: they enclose calls
 * of all its threads.
 */
function overlayStacks(
  trace: Trace,
  slice: Int32Array,
  overlay: Int32Array,
  sites: Int32Array,
  tree: StackTreeBuilder,
): Int32Array {
  const nodes = new Int32Array(sites.length).fill(-1);
  if (overlay.length === 0) return nodes;
  const scopeOfTrack = Int32Array.from(trace.tracks, ({process}) => process + 1);
  const ids = rowsAt(overlay, orderByScope(trace, rowsAt(slice, overlay), scopeOfTrack));
  const order = orderByScope(trace, sites, scopeOfTrack);
  const found = findStacks(trace, containersOf(slice, ids, scopeOfTrack), rowsAt(sites, order), tree);
  for (let i = 0; i < order.length; i++) nodes[order[i]] = found.node[i];
  return nodes;
}

/** Returns the order that sorts slice rows by the scope of their track, then start; ties keep their row order. */
function orderByScope({slices}: Trace, rows: Int32Array, scopeOfTrack: Int32Array): Uint32Array {
  const scope = new Int32Array(rows.length);
  const startNs = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    scope[i] = scopeOfTrack[slices.track[rows[i]]];
    startNs[i] = slices.startNs[rows[i]];
  }
  return orderByTrackAndStart(scope, startNs, rows.length);
}

function rowsAt(rows: Int32Array, order: Int32Array | Uint32Array): Int32Array {
  const picked = new Int32Array(order.length);
  for (let i = 0; i < order.length; i++) picked[i] = rows[order[i]];
  return picked;
}
