import {kindMask, type SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

const isLinking = kindMask(new Set<SliceKind>(['cpu_op', 'user_annotation']));

/**
 * A function that gives the operator or annotation (row of `slices`) that launched an operation, -1 where nobody knows.
 *
 * It is the one that Kineto names by external id. Traces of 2022 and 2023 write the correlation id in its place: there,
 * and where no operator has the id, it is the innermost one around the launching call.
 *
 * @param callOf operation → row of `apiCalls` that launched it, -1 for none
 */
export function operatorFinder(trace: Trace, callOf: Int32Array): (operation: number) => number {
  const {gpuOperations, operators, apiCalls} = trace;
  const byId = new Map<number, number>();
  for (let row = 0; row < operators.length; row++) {
    if (operators.externalId[row] !== -1) byId.set(operators.externalId[row], operators.slice[row]);
  }
  const around = operatorsAround(trace);
  return operation => {
    const id = gpuOperations.externalId[operation];
    const named = id === -1 || id === gpuOperations.correlation[operation] ? undefined : byId.get(id);
    if (named !== undefined) return named;
    return callOf[operation] < 0 ? -1 : around[apiCalls.slice[callOf[operation]]];
  };
}

/** Slice → the innermost operator or annotation around it on its track, -1 for none. */
function operatorsAround({slices, tracks}: Trace): Int32Array {
  const around = new Int32Array(slices.length).fill(-1);
  const {kind, startNs, durationNs} = slices;
  for (const {firstSlice, endSlice} of tracks) {
    const open: number[] = [];
    for (let row = firstSlice; row < endSlice; row++) {
      const endNs = startNs[row] + durationNs[row];
      while (open.length > 0) {
        const top = open[open.length - 1];
        if (endNs <= startNs[top] + durationNs[top]) break;
        open.pop();
      }
      if (open.length > 0) around[row] = open[open.length - 1];
      if (isLinking[kind[row]] === 1) open.push(row);
    }
  }
  return around;
}
