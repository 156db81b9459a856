import {launchLinks} from '../attribution/link-launches.js';
import {KeyedRows} from '../table/keyed-rows.js';
import {release} from '../table/table.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
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
  /** Call (row of `apiCalls`) → its first element of `operations`; one longer than the number of calls. */
  readonly offsets: Int32Array;
  readonly operations: Int32Array;
  /** Operation → number of calls that it is paired with. */
  readonly callCount: Int32Array;
}

/** Only malicious files have more calls than this with one id: the others are left out. */
const mostCallsOfId = 64;

/**
 * Pairs calls with kernels, copies and memsets in scope.
 *
 * @param hasGraphs whether graphs traced as a whole are paired, too; nsys's reports leave them out
 */
export function launchesOf({trace, scope}: ReportSource, {hasGraphs = false} = {}): Launches {
  const {slices, gpuOperations, apiCalls} = trace;
  const {rows, first, count: callCount, releaseRows} = callsOfOperations(trace);
  const offsets = new Int32Array(apiCalls.length + 1);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const isLeftOut = !hasGraphs && slices.kind[gpuOperations.slice[operation]] === kindIndex.graph;
    if (isLeftOut || (scope.operations !== null && scope.operations[operation] === 0)) callCount[operation] = 0;
    for (let i = 0; i < callCount[operation]; i++) offsets[rows[first[operation] + i] + 1]++;
  }
  for (let call = 0; call < apiCalls.length; call++) offsets[call + 1] += offsets[call];
  const pairs = new Int32Array(offsets[apiCalls.length]);
  const free = offsets.slice(0, apiCalls.length);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    for (let i = 0; i < callCount[operation]; i++) pairs[free[rows[first[operation] + i]]++] = operation;
  }
  release(free, first);
  releaseRows();
  return {offsets, operations: pairs, callCount};
}

/** Operation → its calls: `rows[first]` and the `count - 1` rows after it. */
interface CallsOfOperations {
  readonly rows: Int32Array | Uint32Array;
  readonly first: Int32Array;
  readonly count: Int32Array;
  /** Releases the memory of `rows`, unless it is shared. */
  readonly releaseRows: () => void;
}

function callsOfOperations(trace: Trace): CallsOfOperations {
  const {gpuOperations, apiCalls} = trace;
  const {callOf, hasSharedIds} = launchLinks(trace);
  const first = new Int32Array(callOf.length);
  const count = new Int32Array(callOf.length);
  if (!hasSharedIds) {
    for (let operation = 0; operation < callOf.length; operation++) {
      first[operation] = operation;
      count[operation] = callOf[operation] < 0 ? 0 : 1;
    }
    return {rows: callOf, first, count, releaseRows: () => undefined};
  }
  const calls = new KeyedRows(apiCalls.correlation, apiCalls.process);
  for (let operation = 0; operation < callOf.length; operation++) {
    const slot = calls.slot(gpuOperations.correlation[operation], gpuOperations.process[operation]);
    if (slot < 0) continue;
    first[operation] = calls.offsets[slot];
    count[operation] = Math.min(mostCallsOfId, calls.offsets[slot + 1] - calls.offsets[slot]);
  }
  return {rows: calls.rows, first, count, releaseRows: () => calls.release()};
}
