import {KeyedRows} from '../table/keyed-rows.js';
import {firstWhere} from '../table/search.js';
import {derived, derivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';

/** Which API call launched each GPU operation. */
export interface LaunchLinks {
  /** Operation → row of `apiCalls`, -1 where the capture has none. */
  readonly callOf: Int32Array;
  /** Whether several calls of a process carry one correlation id. */
  readonly hasSharedIds: boolean;
}

const launchLinksKey = derivedKey<LaunchLinks>('launch links');

/** The links of a trace, found once and kept with it; the attribution, which has them too, counts their memory. */
export function launchLinks(trace: Trace): LaunchLinks {
  return derived(
    trace,
    launchLinksKey,
    () => linkLaunches(trace),
    () => 0,
  );
}

/**
 * For each GPU operation the API call that launched it.
 *
 * Joined by correlation id within a process. Of several calls with one id it is the latest that starts no later than
 * the operation; where all start later (clock skew), the earliest. Of calls that start together it is the first row.
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

/** Brings the calls of an id that comes again into the order of their start. Returns whether there are such. */
function sortRepeated({rows, offsets}: KeyedRows, startOf: (call: number) => number): boolean {
  let hasRepeated = false;
  for (let slot = 0; slot + 1 < offsets.length; slot++) {
    if (offsets[slot + 1] - offsets[slot] < 2) continue;
    hasRepeated = true;
    rows.subarray(offsets[slot], offsets[slot + 1]).sort((a, b) => startOf(a) - startOf(b) || a - b);
  }
  return hasRepeated;
}

/** Of calls in order of start the latest that starts at `atNs` or before, else the earliest. */
function latestCall(calls: Uint32Array, atNs: number, startOf: (call: number) => number): number {
  const after = firstStarting(calls, startNs => startNs > atNs);
  if (after === 0) return calls[0];
  const latestNs = startOf(calls[after - 1]);
  return calls[firstStarting(calls, startNs => startNs >= latestNs)];

  function firstStarting(ordered: Uint32Array, isReached: (startNs: number) => boolean): number {
    return firstWhere(0, ordered.length, at => isReached(startOf(ordered[at])));
  }
}
