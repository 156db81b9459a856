import {rowMask} from '../table/row-mask.js';
import {attributionOf} from '../scope/attribution-of.js';
import {reportScope} from '../scope/report-scope.js';
import type {Selection} from '../scope/selection.js';
import type {Trace} from '../trace/trace.js';

/** The rows of a trace that are in a part of it, as masks of 1 and 0. */
export interface PartRows {
  readonly slices: Uint8Array;
  readonly operations: Uint8Array;
  readonly instants: Uint8Array;
  /**
   * The selected window, else from the earliest start to the latest end of the selected rows, ns from the trace's
   * origin.
   */
  readonly fromNs: number;
  readonly toNs: number;
}

/**
 * Returns the rows that a part of a trace needs to have the same figures on its own: the selected operations and
 * slices, their launching calls, the forward operators of backward work, and everything that was open around these on
 * their threads. Rows that are not on a thread (ranges projected onto GPUs, ranges of a process) are included if they
 * overlap the part.
 *
 * @throws TraceError `selection/no-match`
 */
export function partRows(trace: Trace, selection: Selection): PartRows {
  const {slices, gpuOperations, tracks, instants} = trace;
  const scope = reportScope(trace, selection);
  const operations = scope.operations ?? new Uint8Array(gpuOperations.length).fill(1);
  const isOnThread = (row: number) => tracks[slices.track[row]].kind === 'thread';
  const kept = rowMask(slices.length, row => isOnThread(row) && scope.slices?.[row] !== 0);
  keepLaunches(trace, kept, operations);
  const extent = extentOf(trace, kept);
  const {fromNs = extent.fromNs, toNs = extent.toNs} = selection;
  const isOperation = new Uint8Array(slices.length);
  for (const row of gpuOperations.slice) isOperation[row] = 1;
  for (let row = 0; row < kept.length; row++) {
    // Operations that are not selected are excluded.
    if (isOnThread(row) || isOperation[row] === 1) continue;
    if (slices.startNs[row] < toNs && slices.startNs[row] + slices.durationNs[row] >= fromNs) kept[row] = 1;
  }
  for (const {kind, firstSlice, endSlice} of tracks) {
    if (kind === 'thread') keepAround(trace, kept, firstSlice, endSlice);
  }
  const isInside = (row: number) => instants.atNs[row] >= fromNs && instants.atNs[row] < toNs;
  const isInstantIn = (row: number) => scope.instants?.[row] === 1 || isInside(row);
  return {slices: kept, operations, instants: rowMask(instants.length, isInstantIn), fromNs, toNs};
}

/** Keeps the slices of operations, of their launching calls, and of the forward operators of backward work. */
function keepLaunches(trace: Trace, kept: Uint8Array, operations: Uint8Array): void {
  const {sites, credit} = attributionOf(trace);
  for (let operation = 0; operation < operations.length; operation++) {
    if (operations[operation] === 0) continue;
    kept[trace.gpuOperations.slice[operation]] = 1;
    const site = sites.siteOf[operation];
    if (site < 0) continue;
    kept[sites.slice[site]] = 1;
    kept[sites.slice[sites.launchOf[operation]]] = 1;
    if (credit.forwardSlice[site] >= 0) kept[credit.forwardSlice[site]] = 1;
  }
}

function extentOf({slices}: Trace, kept: Uint8Array): {fromNs: number; toNs: number} {
  let fromNs = Infinity;
  let toNs = -Infinity;
  for (let row = 0; row < kept.length; row++) {
    if (kept[row] === 0) continue;
    fromNs = Math.min(fromNs, slices.startNs[row]);
    toNs = Math.max(toNs, slices.startNs[row] + slices.durationNs[row]);
  }
  return {fromNs, toNs};
}

/**
 * Keeps the slices that are open around the kept rows of a track. If slices overlap without nesting, keeps those that
 * are open when the row begins.
 */
function keepAround({slices}: Trace, kept: Uint8Array, firstSlice: number, endSlice: number): void {
  let open: number[] = [];
  for (let row = firstSlice; row < endSlice; row++) {
    const startNs = slices.startNs[row];
    if (open.length > 0) open = open.filter(outer => slices.startNs[outer] + slices.durationNs[outer] >= startNs);
    // If the innermost one is kept, so are those around it that were open then, but others may have been opened since.
    if (kept[row] === 1) for (const outer of open) kept[outer] = 1;
    open.push(row);
  }
}
