import type {Part} from '../trace/start-order.js';
import type {Trace} from '../trace/trace.js';

/** The part of a trace to compute figures of. */
export interface Chosen {
  /** Operation → 1 if it counts; null if all do. */
  readonly operations: Uint8Array | null;
  /** A span of operations outside of which none counts; absent if unknown. */
  readonly near?: Part;
  /** Whether a thread's slice counts, by its row; null if all do. */
  readonly isSliceChosen: ((row: number) => boolean) | null;
  /** The window, in ns: of an event partly outside it, only the part inside counts. */
  readonly fromNs: number;
  readonly toNs: number;
}

/** The whole trace. */
export const everything: Chosen = {operations: null, isSliceChosen: null, fromNs: -Infinity, toNs: Infinity};

/** Returns a span of operations that contains all that count. */
export function operationsNearChosen({near}: Chosen, {gpuOperations}: Pick<Trace, 'gpuOperations'>): Part {
  return near ?? {first: 0, end: gpuOperations.length};
}

/** Returns the length of the part of an interval inside the window, ns; 0 if it is outside. */
export function insideNs(startNs: number, durationNs: number, {fromNs, toNs}: Pick<Chosen, 'fromNs' | 'toNs'>): number {
  if (startNs >= fromNs && startNs + durationNs <= toNs) return durationNs;
  return Math.max(0, Math.min(startNs + durationNs, toNs) - Math.max(startNs, fromNs));
}
