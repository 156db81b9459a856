import {KeyedRows} from '../table/keyed-rows.js';
import {kindIndex} from '../trace/slices.js';
import type {ReportSource} from './report-source.js';

/**
 * Pairs of API calls and the operations that carry their correlation id in the same process.
 *
 *     call          0     1  2
 *     offsets       0     2  2     3
 *     operations    4  5        9        two operations of call 0 (a graph), none of call 1
 *
 * As in nsys's reports, an operation pairs with every call of its id: where a runtime call and the driver call inside
 * it carry the same one, the operation is counted with each.
 */
export interface Launches {
  /** Call (row of `apiCalls`) → its part of `operations`; one longer than there are calls. */
  readonly offsets: Int32Array;
  readonly operations: Int32Array;
  /** Operation → number of calls that it is paired with. */
  readonly callCount: Int32Array;
}

/** More calls than this share an id only in files that mean harm: the others are left out. */
const mostCallsOfId = 64;

/** Pairs calls with kernels, copies and memsets in scope. Graphs traced as a whole stay out, as in nsys's reports. */
export function launchesOf({trace, scope}: ReportSource): Launches {
  const {slices, gpuOperations, apiCalls} = trace;
  const isWanted = gpuOperations.slice.map((slice, operation) =>
    slices.kind[slice] !== kindIndex.graph && (scope.operations === null || scope.operations[operation] === 1) ? 1 : 0,
  );
  const calls = new KeyedRows(apiCalls.correlation, apiCalls.process);
  const firstPair = new Int32Array(gpuOperations.length);
  const callCount = new Int32Array(gpuOperations.length);
  const offsets = new Int32Array(apiCalls.length + 1);
  for (let operation = 0; operation < callCount.length; operation++) {
    if (isWanted[operation] === 0) continue;
    const slot = calls.slot(gpuOperations.correlation[operation], gpuOperations.process[operation]);
    if (slot < 0) continue;
    firstPair[operation] = calls.offsets[slot];
    callCount[operation] = Math.min(mostCallsOfId, calls.offsets[slot + 1] - calls.offsets[slot]);
    for (let i = 0; i < callCount[operation]; i++) offsets[calls.rows[firstPair[operation] + i] + 1]++;
  }
  for (let call = 0; call < apiCalls.length; call++) offsets[call + 1] += offsets[call];
  const pairs = new Int32Array(offsets[apiCalls.length]);
  const free = offsets.slice(0, apiCalls.length);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    for (let i = 0; i < callCount[operation]; i++) pairs[free[calls.rows[firstPair[operation] + i]]++] = operation;
  }
  return {offsets, operations: pairs, callCount};
}
