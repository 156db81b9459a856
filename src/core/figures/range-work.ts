import {upperBound} from '../table/search.js';
import {allocateTogether, release} from '../table/table.js';
import type {Trace} from '../trace/trace.js';
import type {Launches} from './launches.js';
import {tooManyOpenRanges, type RangeSet} from './range-set.js';

/**
 * The calls that launched something (sites), and the ranges that such calls begin in: sites `firstSite[range]` to
 * `endSite[range]` (exclusive), on the range's thread, where `range` counts `ranges`. Such a site lies in the range if
 * it also ends in it.
 */
export interface RangeSites {
  /** The ranges that have a site, in the order of `onThreads`. They include every range around one of them. */
  readonly ranges: RangeSet;
  /** Site → row of `apiCalls`, in its order: by thread, then start. */
  readonly call: Int32Array;
  readonly endNs: Float64Array;
  readonly firstSite: Int32Array;
  readonly endSite: Int32Array;
}

/** Only malicious files have more pairs of ranges and calls than this. */
const mostPairs = 400_000_000;

/**
 * Finds the ranges with sites and their sites, in time proportional to the number of both. `all` are in the order of
 * `onThreads`.
 *
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function rangeSites(trace: Trace, all: RangeSet, launches: Launches): RangeSites {
  const {call, startNs, endNs, track} = launchSites(trace, launches);
  const {range: withSites, firstSite, endSite} = allocateTogether(foundSchema, all.length);
  let found = 0;
  let pairs = 0;
  let site = 0;
  let ofTrack = -1;
  let trackEnd = 0;
  for (let range = 0; range < all.length; range++) {
    if (all.trackOf(range) !== ofTrack) {
      ofTrack = all.trackOf(range);
      while (site < call.length && track[site] < ofTrack) site++;
      trackEnd = site;
      while (trackEnd < call.length && track[trackEnd] === ofTrack) trackEnd++;
    }
    const rangeStartNs = all.startNs(range);
    while (site < trackEnd && startNs[site] < rangeStartNs) site++;
    const end = firstAfter(startNs, site, trackEnd, all.endNs(range));
    if (end === site) continue;
    pairs += end - site;
    if (pairs > mostPairs) throw tooManyOpenRanges();
    withSites[found] = range;
    firstSite[found] = site;
    endSite[found++] = end;
  }
  const ranges = all.inOrder(withSites.slice(0, found));
  const sites = {ranges, call, endNs, firstSite: firstSite.slice(0, found), endSite: endSite.slice(0, found)};
  // The found columns share one buffer.
  release(startNs, track, withSites);
  return sites;
}

/** Ranges with sites. */
const foundSchema = {range: 'i32', firstSite: 'i32', endSite: 'i32'} as const;

/** Calls that are paired with an operation. */
function launchSites(
  {slices, apiCalls}: Trace,
  {offsets}: Launches,
): Pick<RangeSites, 'call' | 'endNs'> & {startNs: Float64Array; track: Int32Array} {
  let count = 0;
  for (let call = 0; call < apiCalls.length; call++) if (offsets[call + 1] > offsets[call]) count++;
  const call = new Int32Array(count);
  const startNs = new Float64Array(count);
  const endNs = new Float64Array(count);
  const track = new Int32Array(count);
  let site = 0;
  for (let row = 0; row < apiCalls.length; row++) {
    if (offsets[row + 1] === offsets[row]) continue;
    const slice = apiCalls.slice[row];
    call[site] = row;
    startNs[site] = slices.startNs[slice];
    endNs[site] = slices.startNs[slice] + slices.durationNs[slice];
    track[site++] = slices.track[slice];
  }
  return {call, startNs, endNs, track};
}

/**
 * Returns the position of the first of the ascending `values[from … end)` above `limit`. Steps double, since it is
 * mostly near.
 */
function firstAfter(values: Float64Array, from: number, end: number, limit: number): number {
  let step = 1;
  let low = from;
  while (low + step < end && values[low + step - 1] <= limit) {
    low += step;
    step *= 2;
  }
  return upperBound(values, limit, low, Math.min(end, low + step));
}

/** The GPU work of each range. */
export interface Projection {
  /** First start and last end of the operations launched in the range, ns; NaN if there are none. */
  readonly firstNs: Float64Array;
  readonly lastNs: Float64Array;
  /** Number of distinct correlation ids, so that a graph launch counts as one. */
  readonly operations: Int32Array;
}

/** Projects each of the sites' ranges onto the GPU. */
export function nsightProjections(trace: Trace, sites: RangeSites, launches: Launches): Projection {
  const {length} = sites.ranges;
  const firstNs = new Float64Array(length).fill(NaN);
  const lastNs = new Float64Array(length).fill(NaN);
  const operations = new Int32Array(length);
  eachProjection(trace, sites, launches, (range, rangeFirstNs, rangeLastNs, count) => {
    firstNs[range] = rangeFirstNs;
    lastNs[range] = rangeLastNs;
    operations[range] = count;
  });
  return {firstNs, lastNs, operations};
}

/**
 * Calls `take` with the `Projection` figures of each of the sites' ranges that has GPU work, one after the other: all
 * operations whose call lies in it, on its own thread.
 */
export function eachProjection(
  trace: Trace,
  sites: RangeSites,
  launches: Launches,
  take: (range: number, firstNs: number, lastNs: number, operations: number) => void,
): void {
  const {ranges} = sites;
  const {firstNs, lastNs, before} = allocateTogether(siteWorkSchema, sites.call.length);
  linkSameIds(trace, sites, launches, before);
  spanSites(trace, sites, launches, firstNs, lastNs);
  for (let range = 0; range < ranges.length; range++) {
    const first = sites.firstSite[range];
    const rangeEndNs = ranges.endNs(range);
    let least = Infinity;
    let most = -Infinity;
    let distinct = 0;
    for (let site = first; site < sites.endSite[range]; site++) {
      if (sites.endNs[site] > rangeEndNs) continue;
      if (firstNs[site] < least) least = firstNs[site];
      if (lastNs[site] > most) most = lastNs[site];
      let other = before[site];
      while (other >= first && sites.endNs[other] > rangeEndNs) other = before[other];
      if (other < first) distinct++;
    }
    if (distinct > 0) take(range, least, most, distinct);
  }
  // All three share one buffer.
  release(before);
}

/** Site → first start and last end of its operations, and the site before it with the same correlation id. */
const siteWorkSchema = {firstNs: 'f64', lastNs: 'f64', before: 'i32'} as const;

function spanSites(
  {slices, gpuOperations}: Trace,
  {call}: RangeSites,
  {offsets, operations}: Launches,
  firstNs: Float64Array,
  lastNs: Float64Array,
): void {
  for (let site = 0; site < call.length; site++) {
    let least = Infinity;
    let most = -Infinity;
    for (let i = offsets[call[site]]; i < offsets[call[site] + 1]; i++) {
      const slice = gpuOperations.slice[operations[i]];
      const startNs = slices.startNs[slice];
      least = Math.min(least, startNs);
      most = Math.max(most, startNs + slices.durationNs[slice]);
    }
    firstNs[site] = least;
    lastNs[site] = most;
  }
}

/** Fills in site → the site before it with the same correlation id on its thread, -1 for none. */
function linkSameIds(
  {slices, apiCalls}: Trace,
  {call}: RangeSites,
  {offsets, operations, callCount}: Launches,
  before: Int32Array,
): void {
  before.fill(-1);
  const last = new Map<string, number>();
  for (let site = 0; site < call.length; site++) {
    const row = call[site];
    // Nearly all ids occur once.
    if (callCount[operations[offsets[row]]] < 2) continue;
    const key = `${String(slices.track[apiCalls.slice[row]])} ${String(apiCalls.correlation[row])}`;
    before[site] = last.get(key) ?? -1;
    last.set(key, site);
  }
}

/** Returns operation → row of `slices` of the shortest range around its launching call, -1 for none. */
export function innermostRanges(trace: Trace, sites: RangeSites, launches: Launches): Int32Array {
  const {ranges} = sites;
  const rangeOfSite = new Int32Array(sites.call.length).fill(-1);
  const durationOf = (range: number) => (range < 0 ? Infinity : ranges.durationNs(range));
  for (let range = 0; range < ranges.length; range++) {
    const durationNs = durationOf(range);
    for (let site = sites.firstSite[range]; site < sites.endSite[range]; site++) {
      // Of equal ranges the later one is the inner.
      if (sites.endNs[site] <= ranges.endNs(range) && durationNs <= durationOf(rangeOfSite[site])) {
        rangeOfSite[site] = range;
      }
    }
  }
  const innermost = new Int32Array(trace.gpuOperations.length).fill(-1);
  for (let site = 0; site < sites.call.length; site++) {
    const range = rangeOfSite[site];
    if (range < 0) continue;
    const call = sites.call[site];
    for (let i = launches.offsets[call]; i < launches.offsets[call + 1]; i++) {
      innermost[launches.operations[i]] = ranges.slice[range];
    }
  }
  return innermost;
}
