import {sortByStart} from '../table/sort.js';
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
  const calls = byProcessAndId(apiCalls.process, apiCalls.correlation, null);
  const operations = byProcessAndId(gpuOperations.process, gpuOperations.correlation, isWanted);
  // Both lists are in the same order: one walk through the two finds all pairs.
  const firstPair = new Int32Array(gpuOperations.length);
  const callCount = new Int32Array(gpuOperations.length);
  const offsets = new Int32Array(apiCalls.length + 1);
  let at = 0;
  for (const operation of operations) {
    while (at < calls.length && isBefore(calls[at], operation)) at++;
    firstPair[operation] = at;
    let next = at;
    for (; next < calls.length && next < at + mostCallsOfId && isSame(calls[next], operation); next++) {
      offsets[calls[next] + 1]++;
    }
    callCount[operation] = next - at;
  }
  for (let call = 0; call < apiCalls.length; call++) offsets[call + 1] += offsets[call];
  const pairs = new Int32Array(offsets[apiCalls.length]);
  const free = offsets.slice(0, apiCalls.length);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    for (let i = 0; i < callCount[operation]; i++) pairs[free[calls[firstPair[operation] + i]]++] = operation;
  }
  return {offsets, operations: pairs, callCount};

  function isBefore(call: number, operation: number): boolean {
    const ofCall = apiCalls.process[call];
    const ofOperation = gpuOperations.process[operation];
    if (ofCall !== ofOperation) return ofCall < ofOperation;
    return apiCalls.correlation[call] < gpuOperations.correlation[operation];
  }

  function isSame(call: number, operation: number): boolean {
    return (
      apiCalls.process[call] === gpuOperations.process[operation] &&
      apiCalls.correlation[call] === gpuOperations.correlation[operation]
    );
  }
}

/** Rows that have a correlation id (and are wanted) by process, then id, in linear time. */
function byProcessAndId(process: Int32Array, correlation: Float64Array, isWanted: Int32Array | null): Uint32Array {
  let processes = 0;
  for (const one of process) if (one >= processes) processes = one + 1;
  const offsets = new Int32Array(processes + 1);
  const isIn = (row: number) => correlation[row] !== -1 && (isWanted === null || isWanted[row] === 1);
  for (let row = 0; row < process.length; row++) if (isIn(row)) offsets[process[row] + 1]++;
  for (let i = 0; i < processes; i++) offsets[i + 1] += offsets[i];
  const rows = new Uint32Array(offsets[processes]);
  const next = offsets.slice(0, processes);
  for (let row = 0; row < process.length; row++) if (isIn(row)) rows[next[process[row]]++] = row;
  for (let i = 0; i < processes; i++) sortByStart(rows.subarray(offsets[i], offsets[i + 1]), correlation);
  return rows;
}
