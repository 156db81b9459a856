import {TableBuilder} from '../../core/table/table.js';
import type {DraftSlice} from '../../core/trace/trace-builder.js';

/** A flow's end has the very time and thread of its operator. */
const placeSchema = {id: 'f64', tid: 'f64', atNs: 'f64', slice: 'i32'} as const;

/** The two ends of `fwdbwd` flows, matched with the operators on which they stand. */
export class FlowPairs {
  readonly #starts = new TableBuilder(placeSchema);
  readonly #ends = new TableBuilder(placeSchema);
  readonly #operators = new TableBuilder(placeSchema);

  addOperator(tid: number, startNs: number, slice: DraftSlice): void {
    add(this.#operators, -1, tid, startNs, slice);
  }

  addEnd(id: number, tid: number, atNs: number, isStart: boolean): void {
    add(isStart ? this.#starts : this.#ends, id, tid, atNs, -1);
  }

  /** Flows of which both operators are in the trace. */
  *pairs(): Generator<{forward: DraftSlice; backward: DraftSlice}> {
    if (this.#starts.length === 0 || this.#ends.length === 0) return;
    const operators = new OperatorIndex(this.#operators);
    const endOf = new Map<number, number>();
    const ends = this.#ends.columns;
    for (let end = 0; end < this.#ends.length; end++) endOf.set(ends.id[end], end);
    const starts = this.#starts.columns;
    for (let start = 0; start < this.#starts.length; start++) {
      const end = endOf.get(starts.id[start]) ?? -1;
      const forward = operators.at(starts.tid[start], starts.atNs[start]);
      const backward = end < 0 ? -1 : operators.at(ends.tid[end], ends.atNs[end]);
      if (forward >= 0 && backward >= 0) yield {forward, backward};
    }
  }
}

/** Operators by time, then thread: few begin in the same ns. */
class OperatorIndex {
  readonly #lastAt = new Map<number, number>();
  readonly #previous: Int32Array;

  constructor(private readonly operators: TableBuilder<typeof placeSchema>) {
    this.#previous = new Int32Array(operators.length).fill(-1);
    const {atNs} = operators.columns;
    for (let row = 0; row < operators.length; row++) {
      this.#previous[row] = this.#lastAt.get(atNs[row]) ?? -1;
      this.#lastAt.set(atNs[row], row);
    }
  }

  /** The slice of the operator that was added last for a place, -1 for none. */
  at(tid: number, atNs: number): DraftSlice {
    const {columns} = this.operators;
    let row = this.#lastAt.get(atNs) ?? -1;
    while (row >= 0 && columns.tid[row] !== tid) row = this.#previous[row];
    return row < 0 ? -1 : columns.slice[row];
  }
}

function add(table: TableBuilder<typeof placeSchema>, id: number, tid: number, atNs: number, slice: number): void {
  const row = table.add();
  const {columns} = table;
  columns.id[row] = id;
  columns.tid[row] = tid;
  columns.atNs[row] = atNs;
  columns.slice[row] = slice;
}
