import {rowsPerBatch, type Batch, type ColumnRequest, type ColumnRequests} from './table-source.js';

/** What a batch of these columns takes in memory. */
export function batchBytes(requests: ColumnRequests): number {
  return 8 * rowsPerBatch * (Object.keys(requests).length + 2);
}

/** A batch that is filled again and again: one block of memory, `rowsPerBatch` numbers for each column. */
export class BatchBuilder<R extends ColumnRequests> implements Batch<R> {
  length = 0;
  readonly rowid: Float64Array;
  /** Column after column in the order of `requests`, then one that nobody reads. */
  readonly values: Float64Array;
  readonly columns: {readonly [K in keyof R]: Float64Array};
  readonly requests: readonly ColumnRequest[];

  /** @param memory where its `batchBytes` are, from `byteOffset` on */
  constructor(requests: R, memory: ArrayBufferLike = new ArrayBuffer(batchBytes(requests)), byteOffset = 0) {
    const names: (keyof R)[] = Object.keys(requests);
    this.requests = names.map(name => requests[name]);
    this.rowid = new Float64Array(memory, byteOffset, rowsPerBatch);
    this.values = new Float64Array(memory, byteOffset + 8 * rowsPerBatch, (names.length + 1) * rowsPerBatch);
    this.columns = Object.fromEntries(names.map((name, at) => [name, this.column(at)])) as {
      readonly [K in keyof R]: Float64Array;
    };
  }

  /** Says that the table has no such column. */
  leaveOut(at: number): void {
    this.column(at).fill(absent(this.requests[at].form));
  }

  column(at: number): Float64Array {
    return this.values.subarray(at * rowsPerBatch, (at + 1) * rowsPerBatch);
  }
}

/** What stands for null. */
export function absent(form: ColumnRequest['form']): number {
  return form === 'text' ? 0 : NaN;
}
