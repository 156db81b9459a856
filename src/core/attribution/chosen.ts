import type {Part} from '../trace/start-order.js';
import type {Trace} from '../trace/trace.js';

/** The part of a trace that figures are asked of. */
export interface Chosen {
  /** Operation → 1 where it counts; null where all do. */
  readonly operations: Uint8Array | null;
  /** The part of them outside of which none counts; absent where that is not known. */
  readonly near?: Part;
  /** Whether a slice of a thread counts, by its row; null where all do. */
  readonly isSliceChosen: ((row: number) => boolean) | null;
  /** Of what lies partly outside this window only the part inside counts. */
  readonly fromNs: number;
  readonly toNs: number;
}

/** The whole trace. */
export const everything: Chosen = {operations: null, isSliceChosen: null, fromNs: -Infinity, toNs: Infinity};

/** The operations among which are those that count. */
export function operationsNearChosen({near}: Chosen, {gpuOperations}: Pick<Trace, 'gpuOperations'>): Part {
  return near ?? {first: 0, end: gpuOperations.length};
}

/** Length of the part of an interval inside the window, ns; 0 where it is outside. */
export function insideNs(startNs: number, durationNs: number, {fromNs, toNs}: Pick<Chosen, 'fromNs' | 'toNs'>): number {
  if (startNs >= fromNs && startNs + durationNs <= toNs) return durationNs;
  return Math.max(0, Math.min(startNs + durationNs, toNs) - Math.max(startNs, fromNs));
}
