import {CorrelationIndex} from '../attribution/correlation-index.js';
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

/** Pairs calls with kernels, copies and memsets in scope. Graphs traced as a whole stay out, as in nsys's reports. */
export function launchesOf({trace, scope}: ReportSource): Launches {
  const {slices, gpuOperations, apiCalls} = trace;
  const index = new CorrelationIndex(apiCalls);
  const callCount = new Int32Array(gpuOperations.length);
  const offsets = new Int32Array(apiCalls.length + 1);
  const firstCall = new Int32Array(gpuOperations.length).fill(-1);
  const {slice, process, correlation} = gpuOperations;
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (scope.operations !== null && scope.operations[operation] === 0) continue;
    if (slices.kind[slice[operation]] === kindIndex.graph) continue;
    let call = index.first(process[operation], correlation[operation]);
    firstCall[operation] = call;
    let calls = 0;
    for (; call >= 0; call = index.next(call)) {
      offsets[call + 1]++;
      calls++;
    }
    callCount[operation] = calls;
  }
  for (let call = 0; call < apiCalls.length; call++) offsets[call + 1] += offsets[call];
  const operations = new Int32Array(offsets[apiCalls.length]);
  const next = offsets.slice(0, apiCalls.length);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    let call = firstCall[operation];
    for (let left = callCount[operation]; left > 0; left--) {
      operations[next[call]++] = operation;
      if (left > 1) call = index.next(call);
    }
  }
  return {offsets, operations, callCount};
}
