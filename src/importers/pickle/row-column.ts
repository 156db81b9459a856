import type {HeldMemory} from './held-memory.js';

/** The array types of a column. */
export type ColumnValues = Uint8Array | Int32Array | Float64Array;

/** A column of the rows of a kind. */
export class RowColumn<Values extends ColumnValues = ColumnValues> {
  /** Null as long as every row is `absent`: most snapshots lack the data of some columns. */
  values: Values | null = null;

  constructor(
    private readonly make: (length: number) => Values,
    /** The value of a row without data. */
    readonly absent: number,
    private readonly held: HeldMemory,
  ) {}

  /** Makes room for `length` rows, which are absent until they are set. Returns the values. */
  grow(length: number): Values {
    const values = this.make(length);
    const before = this.values;
    this.held.take((length - (before?.length ?? 0)) * values.BYTES_PER_ELEMENT);
    if (before) values.set(before);
    if (this.absent !== 0) values.fill(this.absent, before?.length ?? 0);
    this.values = values;
    return values;
  }

  /** The value of a row. */
  at(row: number): number {
    return this.values ? this.values[row] : this.absent;
  }

  /** Returns the values of rows in `[from, to)`, without a copy; null if all are absent. */
  part(from: number, to: number): Values | null {
    return (this.values?.subarray(from, to) as Values | undefined) ?? null;
  }

  /** Returns the same, as values even if all are absent. */
  filledPart(from: number, to: number): Values {
    const values = this.values && this.values.length >= to ? this.values : this.grow(to);
    return values.subarray(from, to) as Values;
  }
}
