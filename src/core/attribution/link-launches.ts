import {KeyedRows} from '../table/keyed-rows.js';
import {firstWhere} from '../table/search.js';
import {derived, derivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';

/** The API call that launched each GPU operation. */
export interface LaunchLinks {
  /** Operation → row of `apiCalls`, -1 if the capture has none. */
  readonly callOf: Int32Array;
  /** Whether several calls of a process share a correlation id. */
  readonly hasSharedIds: boolean;
}

const launchLinksKey = derivedKey<LaunchLinks>('launch links');

/**
 * Returns the links of a trace, computed once and kept with it. Their memory is counted by the attribution, which also
 * holds them.
 */
export function launchLinks(trace: Trace): LaunchLinks {
  return derived(
    trace,
    launchLinksKey,
    () => linkLaunches(trace),
    () => 0,
  );
}

/**
 * Finds the API call that launched each GPU operation.
 *
 * Joined by correlation id within a process. Of several calls with one id, the latest that starts no later than the
 * operation is taken; if all start later (clock skew), the earliest. Of calls that start together, the first row is
 * taken.
 *
 * @see docs/metrics.md#launch
 */
function linkLaunches({slices, gpuOperations, apiCalls}: Trace): LaunchLinks {
  const index = new KeyedRows(apiCalls.correlation, apiCalls.process);
  const {rows, offsets} = index;
  const {startNs} = slices;
  const {correlation, process, slice, length} = gpuOperations;
  const startOf = (call: number) => startNs[apiCalls.slice[call]];
  const hasSharedIds = sortRepeated(index, startOf);
  const callOf = new Int32Array(length);
  for (let operation = 0; operation < length; operation++) {
    const slot = index.slot(correlation[operation], process[operation]);
    const first = slot < 0 ? 0 : offsets[slot];
    const end = slot < 0 ? 0 : offsets[slot + 1];
    if (end - first > 1) callOf[operation] = latestCall(rows.subarray(first, end), startNs[slice[operation]], startOf);
    else callOf[operation] = end > first ? rows[first] : -1;
  }
  index.release();
  return {callOf, hasSharedIds};
}

/** Sorts calls with a repeated id by start. Returns whether any id repeats. */
function sortRepeated({rows, offsets}: KeyedRows, startOf: (call: number) => number): boolean {
  let hasRepeated = false;
  for (let slot = 0; slot + 1 < offsets.length; slot++) {
    if (offsets[slot + 1] - offsets[slot] < 2) continue;
    hasRepeated = true;
    rows.subarray(offsets[slot], offsets[slot + 1]).sort((a, b) => startOf(a) - startOf(b) || a - b);
  }
  return hasRepeated;
}

/** Returns the latest of the calls, sorted by start, that starts at `atNs` or before, else the earliest. */
function latestCall(calls: Uint32Array, atNs: number, startOf: (call: number) => number): number {
  const after = firstStarting(calls, startNs => startNs > atNs);
  if (after === 0) return calls[0];
  const latestNs = startOf(calls[after - 1]);
  return calls[firstStarting(calls, startNs => startNs >= latestNs)];

  function firstStarting(ordered: Uint32Array, isReached: (startNs: number) => boolean): number {
    return firstWhere(0, ordered.length, at => isReached(startOf(ordered[at])));
  }
}
