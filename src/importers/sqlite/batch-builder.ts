import {rowsPerBatch, type Batch, type ColumnRequest, type ColumnRequests} from './table-source.js';

/** Returns the memory of a batch of these columns. */
export function batchBytes(requests: ColumnRequests): number {
  return 8 * rowsPerBatch * (Object.keys(requests).length + 2);
}

/** A batch that is filled repeatedly: one block of memory, with `rowsPerBatch` numbers for each column. */
export class BatchBuilder<R extends ColumnRequests> implements Batch<R> {
  length = 0;
  readonly rowid: Float64Array;
  /** Column after column in the order of `requests`, then a spare column that nobody reads. */
  readonly values: Float64Array;
  readonly columns: {readonly [K in keyof R]: Float64Array};
  readonly requests: readonly ColumnRequest[];

  /** @param memory in which its `batchBytes` begin at `byteOffset` */
  constructor(requests: R, memory: ArrayBufferLike = new ArrayBuffer(batchBytes(requests)), byteOffset = 0) {
    const names: (keyof R)[] = Object.keys(requests);
    this.requests = names.map(name => requests[name]);
    this.rowid = new Float64Array(memory, byteOffset, rowsPerBatch);
    this.values = new Float64Array(memory, byteOffset + 8 * rowsPerBatch, (names.length + 1) * rowsPerBatch);
    this.columns = Object.fromEntries(names.map((name, at) => [name, this.column(at)])) as {
      readonly [K in keyof R]: Float64Array;
    };
  }

  /** Marks a column that the table lacks. */
  leaveOut(at: number): void {
    this.column(at).fill(absent(this.requests[at].form));
  }

  column(at: number): Float64Array {
    return this.values.subarray(at * rowsPerBatch, (at + 1) * rowsPerBatch);
  }
}

/** Returns the value that represents null. */
export function absent(form: ColumnRequest['form']): number {
  return form === 'text' ? 0 : NaN;
}
