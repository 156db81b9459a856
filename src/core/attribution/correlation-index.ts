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
  readonly #byProcess = new Map<number, {first(id: number): number; push(id: number, row: number): void}>();

  constructor(calls: ApiCallTable) {
    this.#next = new Int32Array(calls.length).fill(-1);
    const largest = new Map<number, number>();
    for (let row = 0; row < calls.length; row++) {
      const process = calls.process[row];
      largest.set(process, Math.max(largest.get(process) ?? 0, calls.correlation[row]));
    }
    for (const [process, max] of largest) {
      const dense = max < densityLimit * calls.length + 1024;
      this.#byProcess.set(process, dense ? denseHeads(max) : hashedHeads());
    }
    // Backwards, so that a chain runs in ascending order of rows.
    for (let row = calls.length - 1; row >= 0; row--) {
      const id = calls.correlation[row];
      const heads = this.#byProcess.get(calls.process[row]);
      if (!heads || id === -1) continue;
      this.#next[row] = heads.first(id);
      heads.push(id, row);
    }
  }

  /** The first call with this id, -1 for none; `next` gives the others. */
  first(process: number, correlation: number): number {
    return correlation === -1 ? -1 : (this.#byProcess.get(process)?.first(correlation) ?? -1);
  }

  next(call: number): number {
    return this.#next[call];
  }
}

function denseHeads(max: number): {first(id: number): number; push(id: number, row: number): void} {
  const heads = new Int32Array(max + 1).fill(-1);
  const others = hashedHeads();
  return {
    first: id => (id >= 0 && id <= max ? heads[id] : others.first(id)),
    push: (id, row) => {
      if (id >= 0 && id <= max) heads[id] = row;
      else others.push(id, row);
    },
  };
}

function hashedHeads(): {first(id: number): number; push(id: number, row: number): void} {
  const heads = new Map<number, number>();
  return {first: id => heads.get(id) ?? -1, push: (id, row) => heads.set(id, row)};
}
