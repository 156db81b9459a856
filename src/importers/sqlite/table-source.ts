/**
 * How to return a stored value: as a number, as the bits from 24 up or the lowest 24 bits of a 64-bit integer (which
 * does not fit a JavaScript number), or as a text's index in the trace's string table.
 */
export type ColumnForm = 'integer' | 'bits-24-up' | 'bits-0-23' | 'text';

export interface ColumnRequest {
  readonly column: string;
  readonly form: ColumnForm;
}

/** Wanted columns by the reader's names for them. */
export type ColumnRequests = Readonly<Record<string, ColumnRequest>>;

/** Number of rows per batch: its columns fit a processor's cache, and a cancellation is noticed soon. */
export const rowsPerBatch = 8192;

/**
 * Some rows of a table, as columns:
 *
 *     rowid  start  end   processKey  tid  name
 *         1   1000  4000     16777226   10     3
 *         2   1200   NaN     16777226   11     0
 *
 * NaN stands for null and for a column that the table does not have, Infinity for a value that is not a number. In a
 * column of texts, a value that is not a text is 0: the empty string. The arrays are longer than `length`, and are
 * overwritten for the next batch.
 */
export interface Batch<R extends ColumnRequests> {
  readonly length: number;
  readonly rowid: Float64Array;
  readonly columns: {readonly [K in keyof R]: Float64Array};
}

/** The rows of tables, in the order of their row ids. */
export interface TableSource {
  /** @throws TraceError `import/damaged` if the table cannot be read to its end */
  read<R extends ColumnRequests>(table: string, requests: R): Iterable<Batch<R>>;
}

export const integer = (column: string): ColumnRequest => ({column, form: 'integer'});
export const text = (column: string): ColumnRequest => ({column, form: 'text'});
