import {KeyedRows} from '../table/keyed-rows.js';
import {lowerBound, upperBound} from '../table/search.js';
import {release} from '../table/table.js';
import {derived, derivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';
import {launchLinks} from './link-launches.js';

/** The sites at which GPU operations were launched. */
export interface LaunchSites {
  /** Operation → row of `apiCalls`, -1 if the capture has no launching call. */
  readonly callOf: Int32Array;
  /** Operation → site, -1 if unknown. */
  readonly siteOf: Int32Array;
  /**
   * Operation → site of its launching call: equals `siteOf`, except for an operation of a replayed graph: the graph's
   * launch.
   */
  readonly launchOf: Int32Array;
  /** Site → row of the slices table, ascending, each once. */
  readonly slice: Int32Array;
  /** Site → 1 for an API call, 0 for an operator, or a captured call, in place of one. */
  readonly isCall: Uint8Array;
}

const launchSitesKey = derivedKey<LaunchSites>('launch sites');

/**
 * Returns the sites of a trace, computed once and kept with it. Their memory is counted by the attribution, which also
 * holds them.
 */
export function launchSites(trace: Trace): LaunchSites {
  return derived(
    trace,
    launchSitesKey,
    () => findSites(trace),
    () => 0,
  );
}

/**
 * Finds the site of each operation: its API call, or else the operator that Kineto names by external id. An external id
 * that equals the correlation id is not trusted: traces of 2022 and 2023 write that if they know no operator. The site
 * of an operation of a replayed graph is the call that it was captured from, if known.
 */
export function findSites(trace: Trace): LaunchSites {
  const {apiCalls, operators} = trace;
  const {callOf} = launchLinks(trace);
  const operatorOf = operatorsOfUnlaunched(trace, callOf);
  const calls = markUsed(callOf, apiCalls.length);
  const named = operatorOf === null ? null : markUsed(operatorOf, operators.length);
  const length = calls.count + (named?.count ?? 0);
  const slice = new Int32Array(length);
  const isCall = new Uint8Array(length);
  // Both tables are in the order of the slices, so merging their used rows keeps that order.
  let operator = 0;
  let site = 0;
  for (let call = 0; call < apiCalls.length; call++) {
    if (calls.place[call] < 0) continue;
    if (named) operator = addOperatorsBefore(apiCalls.slice[call], operator, named.place);
    isCall[site] = 1;
    slice[site] = apiCalls.slice[call];
    calls.place[call] = site++;
  }
  if (named) addOperatorsBefore(Infinity, operator, named.place);
  const siteOf = sitesOf(callOf, calls.place, operatorOf, named?.place);
  release(calls.place);
  if (trace.capturedCalls.length === 0) return {callOf, siteOf, launchOf: siteOf, slice, isCall};
  return withCapturedCalls({callOf, siteOf, launchOf: siteOf, slice, isCall}, trace.capturedCalls);

  function addOperatorsBefore(row: number, from: number, place: Int32Array): number {
    let at = from;
    for (; at < place.length && operators.slice[at] < row; at++) {
      if (place[at] < 0) continue;
      slice[site] = operators.slice[at];
      place[at] = site++;
    }
    return at;
  }
}

/** Adds the sites of captured calls, each of one operation. */
function withCapturedCalls(sites: LaunchSites, capturedCalls: Int32Array): LaunchSites {
  const captured = capturedCalls.filter(row => row >= 0).sort();
  const slice = new Int32Array(sites.slice.length + captured.length);
  const isCall = new Uint8Array(slice.length);
  const placeOf = new Int32Array(sites.slice.length);
  let next = 0;
  for (let at = 0, site = 0; at < slice.length; at++) {
    if (next < captured.length && !(sites.slice[site] < captured[next])) slice[at] = captured[next++];
    else {
      slice[at] = sites.slice[site];
      isCall[at] = sites.isCall[site];
      placeOf[site++] = at;
    }
  }
  const launchOf = sites.siteOf.map(site => (site < 0 ? -1 : placeOf[site]));
  const siteOf = launchOf.map((site, operation) => {
    const row = capturedCalls[operation];
    return row < 0 ? site : lowerBound(slice, row);
  });
  return {callOf: sites.callOf, siteOf, launchOf, slice, isCall};
}

/** Operation → site. */
function sitesOf(
  callOf: Int32Array,
  placeOfCall: Int32Array,
  operatorOf: Int32Array | null,
  placeOfOperator: Int32Array | undefined,
): Int32Array {
  const siteOf = new Int32Array(callOf.length);
  for (let operation = 0; operation < siteOf.length; operation++) {
    const call = callOf[operation];
    siteOf[operation] = call >= 0 ? placeOfCall[call] : placeOf(operatorOf, placeOfOperator, operation);
  }
  return siteOf;
}

function placeOf(operatorOf: Int32Array | null, place: Int32Array | undefined, operation: number): number {
  if (!operatorOf || !place || operatorOf[operation] < 0) return -1;
  return place[operatorOf[operation]];
}

/** Row → 0 if a link leads to it, else -1; and the number of linked rows. */
function markUsed(rowOf: Int32Array, rows: number): {place: Int32Array; count: number} {
  const place = new Int32Array(rows).fill(-1);
  let count = 0;
  for (let i = 0; i < rowOf.length; i++) {
    const row = rowOf[i];
    if (row < 0 || place[row] === 0) continue;
    place[row] = 0;
    count++;
  }
  return {place, count};
}

/**
 * Operation → row of its operator, for operations without a launching call; null if none of these names an operator.
 */
function operatorsOfUnlaunched(trace: Trace, callOf: Int32Array): Int32Array | null {
  const {gpuOperations, operators, slices} = trace;
  const {externalId, correlation} = gpuOperations;
  const isNamed = (operation: number) =>
    callOf[operation] < 0 && externalId[operation] !== -1 && externalId[operation] !== correlation[operation];
  let operation = 0;
  while (operation < callOf.length && !isNamed(operation)) operation++;
  if (operation === callOf.length || operators.length === 0) return null;
  const operatorOf = new Int32Array(callOf.length).fill(-1);
  const index = new KeyedRows(operators.externalId);
  const leastFrom = earliestStarts(index, trace);
  for (; operation < callOf.length; operation++) {
    const slot = isNamed(operation) ? index.slot(externalId[operation]) : -1;
    if (slot < 0) continue;
    const at = lastStartedBy(slices.startNs[gpuOperations.slice[operation]], slot);
    if (at >= 0) operatorOf[operation] = index.rows[at];
  }
  return operatorOf;

  /** Returns the last place of a slot whose operator starts at `ns` or before, -1 for none. */
  function lastStartedBy(ns: number, slot: number): number {
    const first = index.offsets[slot];
    const after = upperBound(leastFrom, ns, first, index.offsets[slot + 1]);
    return after > first ? after - 1 : -1;
  }
}

/** Place in `rows` → the earliest start of the operators from there to the end of the slot; ascends within a slot. */
function earliestStarts({rows, offsets}: KeyedRows, {operators, slices}: Trace): Float64Array {
  const leastFrom = new Float64Array(rows.length);
  for (let slot = offsets.length - 2; slot >= 0; slot--) {
    let leastNs = Infinity;
    for (let at = offsets[slot + 1] - 1; at >= offsets[slot]; at--) {
      leastNs = Math.min(leastNs, slices.startNs[operators.slice[rows[at]]]);
      leastFrom[at] = leastNs;
    }
  }
  return leastFrom;
}
