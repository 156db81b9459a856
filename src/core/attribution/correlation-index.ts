import type {ApiCallTable} from '../trace/gpu-operations.js';

/** A dense array is used while it is at most this many times longer than the table; else a hash map. */
const densityLimit = 8;

/**
 * API calls by (process, correlation id).
 *
 * Ids are unique within a process as a rule, but wrap in long captures, so calls that share one are chained in the
 * order of the table.
 */
export class CorrelationIndex {
  readonly #next: Int32Array;
  readonly #byProcess = new Map<number, FirstCalls>();

  constructor(calls: ApiCallTable) {
    const {length, process, correlation} = calls;
    this.#next = new Int32Array(length).fill(-1);
    const largest = new Map<number, number>();
    for (let row = 0; row < length; row++) {
      const known = largest.get(process[row]);
      if (known === undefined || correlation[row] > known) largest.set(process[row], correlation[row]);
    }
    for (const [id, most] of largest) {
      this.#byProcess.set(id, new FirstCalls(most < densityLimit * length + 1024 ? Math.max(0, most) : 0));
    }
    // Backwards, so that a chain runs in ascending order of rows.
    for (let row = length - 1; row >= 0; row--) {
      if (correlation[row] === -1) continue;
      const calledBefore = this.#byProcess.get(process[row])?.replace(correlation[row], row);
      this.#next[row] = calledBefore ?? -1;
    }
  }

  /** The first call with this id, -1 for none; `next` gives the others. */
  first(process: number, correlation: number): number {
    return correlation === -1 ? -1 : (this.#byProcess.get(process)?.get(correlation) ?? -1);
  }

  next(call: number): number {
    return this.#next[call];
  }
}

/** The first call of each id: in an array up to `mostDense`, in a map beyond. */
class FirstCalls {
  readonly #dense: Int32Array;
  readonly #others = new Map<number, number>();

  constructor(mostDense: number) {
    this.#dense = new Int32Array(mostDense + 1).fill(-1);
  }

  get(id: number): number {
    return id >= 0 && id < this.#dense.length ? this.#dense[id] : (this.#others.get(id) ?? -1);
  }

  /** Puts a call first; returns the one that was. */
  replace(id: number, call: number): number {
    const before = this.get(id);
    if (id >= 0 && id < this.#dense.length) this.#dense[id] = call;
    else this.#others.set(id, call);
    return before;
  }
}
