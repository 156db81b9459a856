import {groupRows} from '../table/group-rows.js';
import {derived, derivedKey} from '../trace/derived.js';
import {firstWhere, lowerBound} from '../table/search.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from '../scope/attribution-of.js';

/** Returns the row of `gpuOperations` for a slice, -1 if there is none. */
export function operationOfSlice(trace: Trace, row: number): number {
  const {slices, gpuOperations} = trace;
  const {slice, length} = gpuOperations;
  const atNs = slices.startNs[row];
  for (let at = firstOperationFrom(trace, atNs); at < length && slices.startNs[slice[at]] === atNs; at++) {
    if (slice[at] === row) return at;
  }
  return -1;
}

/** Returns the first row of `gpuOperations` that starts at a time or later; the table's length if there is none. */
export function firstOperationFrom({slices, gpuOperations}: Trace, atNs: number): number {
  return firstWhere(0, gpuOperations.length, at => slices.startNs[gpuOperations.slice[at]] >= atNs);
}

/** Returns the row of `apiCalls` for a slice, -1 if there is none. */
export function callOfSlice({apiCalls}: Trace, row: number): number {
  const call = lowerBound(apiCalls.slice, row);
  return call < apiCalls.length && apiCalls.slice[call] === row ? call : -1;
}

const operationsByCallKey = derivedKey<ReturnType<typeof groupRows>>('operations by call');

/** Returns the rows of `gpuOperations` that an API call launched, in order of start. */
export function operationsOfCall(trace: Trace, call: number): Uint32Array {
  const {rows, offsets} = derived(trace, operationsByCallKey, () =>
    groupRows(attributionOf(trace).sites.callOf, trace.apiCalls.length),
  );
  return rows.subarray(offsets[call], offsets[call + 1]);
}
