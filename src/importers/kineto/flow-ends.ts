import {KeyedRows} from '../../core/table/keyed-rows.js';
import {TableBuilder, type Columns} from '../../core/table/table.js';
import type {TraceBuilder} from '../../core/trace/trace-builder.js';

/** A flow's end has exactly the time and thread of its operator. */
export const endSchema = {id: 'f64', pid: 'f64', tid: 'f64', atNs: 'f64'} as const;

/** The two ends of `fwdbwd` flows, until all have been read. */
export class FlowEnds {
  readonly #starts = new TableBuilder(endSchema);
  readonly #ends = new TableBuilder(endSchema);

  /** The memory of the ends so far, in bytes. */
  get rowBytes(): number {
    return this.#starts.rowBytes + this.#ends.rowBytes;
  }

  add(id: number, pid: number, tid: number, atNs: number, isStart: boolean): void {
    const table = isStart ? this.#starts : this.#ends;
    const row = table.add();
    const {columns} = table;
    columns.id[row] = id;
    columns.pid[row] = pid;
    columns.tid[row] = tid;
    columns.atNs[row] = atNs;
  }

  /** Adds the first `length` ends of columns. */
  addRows(columns: Columns<typeof endSchema>, length: number, isStart: boolean): void {
    (isStart ? this.#starts : this.#ends).append(columns, length);
  }

  /** Passes the flows with both ends to the builder; `trackOf` returns -1 for a thread without slices. */
  finish(builder: TraceBuilder, trackOf: (pid: number, tid: number) => number): void {
    const starts = this.#starts.finish();
    const ends = this.#ends.finish();
    const byId = new KeyedRows(ends.id);
    for (let start = 0; start < starts.length; start++) {
      const slot = byId.slot(starts.id[start]);
      if (slot < 0) continue;
      // If there are several ends, the last one counts.
      const end = byId.rows[byId.offsets[slot + 1] - 1];
      const fromTrack = trackOf(starts.pid[start], starts.tid[start]);
      const toTrack = trackOf(ends.pid[end], ends.tid[end]);
      if (fromTrack >= 0 && toTrack >= 0) {
        builder.addForwardBackward(fromTrack, starts.atNs[start], toTrack, ends.atNs[end]);
      }
    }
  }
}
