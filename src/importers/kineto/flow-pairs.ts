import type {DraftSlice} from '../../core/trace/trace-builder.js';

/** The two ends of `fwdbwd` flows, matched with the operators on which they stand. */
export class FlowPairs {
  readonly #starts = new Map<number, string>();
  readonly #ends = new Map<number, string>();
  /** Operator by (thread, start): a flow's end has the very time and thread of its operator. */
  readonly #operators = new Map<string, DraftSlice>();

  addOperator(tid: number, startNs: number, slice: DraftSlice): void {
    this.#operators.set(place(tid, startNs), slice);
  }

  addEnd(id: number, tid: number, atNs: number, isStart: boolean): void {
    (isStart ? this.#starts : this.#ends).set(id, place(tid, atNs));
  }

  /** Flows of which both operators are in the trace. */
  *pairs(): Generator<{forward: DraftSlice; backward: DraftSlice}> {
    for (const [id, start] of this.#starts) {
      const forward = this.#operators.get(start);
      const backward = this.#operators.get(this.#ends.get(id) ?? '');
      if (forward !== undefined && backward !== undefined) yield {forward, backward};
    }
  }
}

function place(tid: number, atNs: number): string {
  return `${String(tid)} ${String(atNs)}`;
}
