import {kindIndex, type SliceKindSet} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {creditSites, type SiteCredit} from './credit.js';
import {enclosing, lowerBound, scopesByTrack, type Enclosing, type Scope} from './enclosing.js';
import {linkLaunches} from './link-launches.js';
import {asRanges, collectRanges, type Ranges} from './ranges.js';

/**
 * Which range each GPU operation belongs to.
 *
 *     operation → site (the launching call) → credit (one range or bucket, forward or backward)
 *                                           → own, overlay, forward (every range that counts it in its total)
 *
 * Ranges are named by their index in `ranges`, not by slice row.
 */
export interface Attribution {
  readonly ranges: Ranges;
  /** Operation → row of `apiCalls`, -1 where the capture has no launching call. */
  readonly callOf: Int32Array;
  /** Operation → site, -1 where nothing says who launched it: bucket "(no launch call)". */
  readonly siteOf: Int32Array;
  /** Site → ranges around the launching call on its own thread, outermost first. */
  readonly own: Enclosing;
  /** Site → NVTX start/end ranges of the process that are open around the launching call. */
  readonly overlay: Enclosing;
  readonly credit: SiteCredit;
}

/**
 * Attributes every GPU operation to the ranges of `kinds`.
 *
 * O(n log n) in slices: one sweep per thread. Every operation is credited once, to a range or to a bucket, so that
 * credits add up to all GPU work.
 *
 * @see docs/metrics.md#attribution
 */
export function attribute(trace: Trace, kinds: SliceKindSet): Attribution {
  const ranges = collectRanges(trace, kinds);
  const callOf = linkLaunches(trace);
  const {siteOf, sites} = findSites(trace, callOf);
  const threadScopes = scopesByTrack(trace, ranges.stacked, sites);
  const own = asRanges(ranges, enclosing(trace.slices, threadScopes));
  const overlay = overlayAround(trace, ranges, sites);
  return {ranges, callOf, siteOf, own, overlay, credit: creditSites(trace, ranges, sites, own)};
}

/**
 * Where operations were launched: slice rows, ascending, each once. It is the API call, or else the operator that
 * Kineto names by external id, which is trusted only where it is not a copy of the correlation id (traces of 2022 and
 * 2023 write that where they know no operator).
 */
function findSites(trace: Trace, callOf: Int32Array): {siteOf: Int32Array; sites: Int32Array} {
  const {apiCalls} = trace;
  const operatorOf = operatorsOfUnlaunched(trace, callOf);
  const sliceOf = callOf.map((call, operation) =>
    call >= 0 ? apiCalls.slice[call] : (operatorOf.get(operation) ?? -1),
  );
  const sites = sliceOf.filter(slice => slice >= 0).sort();
  let count = 0;
  for (const slice of sites) if (count === 0 || sites[count - 1] !== slice) sites[count++] = slice;
  const distinct = sites.subarray(0, count);
  return {siteOf: sliceOf.map(slice => (slice < 0 ? -1 : lowerBound(distinct, slice))), sites: distinct};
}

/** Operation → slice of its operator, for operations without a launching call. */
function operatorsOfUnlaunched({gpuOperations, operators, slices}: Trace, callOf: Int32Array): Map<number, number> {
  const wanted = new Map<number, number[]>();
  for (let operation = 0; operation < callOf.length; operation++) {
    const externalId = gpuOperations.externalId[operation];
    if (callOf[operation] >= 0 || externalId === -1 || externalId === gpuOperations.correlation[operation]) continue;
    const operations = wanted.get(externalId);
    if (operations) operations.push(operation);
    else wanted.set(externalId, [operation]);
  }
  const found = new Map<number, number>();
  if (wanted.size === 0) return found;
  for (let row = 0; row < operators.length; row++) {
    const slice = operators.slice[row];
    for (const operation of wanted.get(operators.externalId[row]) ?? []) {
      if (slices.startNs[slice] <= slices.startNs[gpuOperations.slice[operation]]) found.set(operation, slice);
    }
  }
  return found;
}

/** NVTX start/end ranges belong to a process, so their scope is every call of it, whatever the thread. */
function overlayAround(trace: Trace, ranges: Ranges, sites: Int32Array): Enclosing {
  const {slices, tracks} = trace;
  const overlayRanges = ranges.slice.filter(row => slices.kind[row] === kindIndex.nvtx_startend);
  if (overlayRanges.length === 0) return {offsets: new Int32Array(sites.length + 1), containers: new Int32Array(0)};
  const processOf = (row: number) => tracks[slices.track[row]].process;
  const byStart = (a: number, b: number) => slices.startNs[a] - slices.startNs[b] || a - b;
  const processes = [...new Set(Array.from(sites, processOf))];
  const scopes = processes.map(process => ({
    containers: overlayRanges.filter(row => processOf(row) === process).sort(byStart),
    sites: sites.filter(row => processOf(row) === process).sort(byStart),
  }));
  return inSiteOrder(asRanges(ranges, enclosing(slices, scopes)), scopes, sites);
}

/** Puts the rows of a result, which follow the scopes, into the order of `sites`. */
function inSiteOrder(found: Enclosing, scopes: readonly Scope[], sites: Int32Array): Enclosing {
  const rowOfSlice = new Map<number, number>();
  for (const scope of scopes) for (const slice of scope.sites) rowOfSlice.set(slice, rowOfSlice.size);
  const offsets = new Int32Array(sites.length + 1);
  const containers = new Int32Array(found.containers.length);
  for (let site = 0; site < sites.length; site++) {
    const row = rowOfSlice.get(sites[site]) ?? 0;
    const part = found.containers.subarray(found.offsets[row], found.offsets[row + 1]);
    containers.set(part, offsets[site]);
    offsets[site + 1] = offsets[site] + part.length;
  }
  return {offsets, containers};
}
