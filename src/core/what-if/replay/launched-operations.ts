import type {Trace} from '../../trace/trace.js';
import type {ReplayCall} from './cpu-calls.js';
import type {StreamQueue} from './gpu-queue.js';

/** GPU operations, with their launching calls and their predecessors on the stream. */
export interface LaunchedOperations {
  readonly length: number;
  readonly queues: readonly StreamQueue[];
  /** Operation → index of its queue. */
  readonly queueOf: Int32Array;
  /** Operation → the previous one on its stream, -1 for none. */
  readonly before: Int32Array;
  /** Operation → the call that launched it. */
  readonly callOf: readonly (ReplayCall | undefined)[];
  /** When an operation began and was done, in the profile. */
  readonly startNs: (operation: number) => number;
  readonly endNs: (operation: number) => number;
  /** Its kind, as in the slices table. */
  readonly kindOf: (operation: number) => number;
}

/** Returns the operations of a trace. */
export function launchedOperations(
  {slices, gpuOperations}: Trace,
  queues: readonly StreamQueue[],
  calls: readonly ReplayCall[],
): LaunchedOperations {
  const {length, slice} = gpuOperations;
  const queueOf = new Int32Array(length);
  const before = new Int32Array(length).fill(-1);
  queues.forEach(({operations}, queue) => {
    for (let place = 0; place < operations.length; place++) {
      queueOf[operations[place]] = queue;
      if (place > 0) before[operations[place]] = operations[place - 1];
    }
  });
  const callOf = new Array<ReplayCall | undefined>(length).fill(undefined);
  for (const call of calls) for (const operation of call.operations) callOf[operation] = call;
  return {
    ...{length, queues, queueOf, before, callOf},
    startNs: operation => slices.startNs[slice[operation]],
    endNs: operation => slices.startNs[slice[operation]] + slices.durationNs[slice[operation]],
    kindOf: operation => slices.kind[slice[operation]],
  };
}
