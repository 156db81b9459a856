/** Column kinds and the arrays behind them. Absent is -1 for indices and ids, NaN for measures. */
export const columnArrays = {
  f64: Float64Array,
  f32: Float32Array,
  i32: Int32Array,
  u16: Uint16Array,
  u8: Uint8Array,
} as const;

export type ColumnKind = keyof typeof columnArrays;
export type Schema = Readonly<Record<string, ColumnKind>>;
/** Views over plain (not shared) buffers, so that they can be transferred and posted. */
export type Columns<S extends Schema> = {
  readonly [K in keyof S]: InstanceType<(typeof columnArrays)[S[K]]>;
};
/** A struct of arrays: one typed array per column, every column `length` long. */
export type Table<S extends Schema> = Columns<S> & {readonly length: number};
export type Row<S extends Schema> = {readonly [K in keyof S]: number};

type AnyColumn = Float64Array | Float32Array | Int32Array | Uint16Array | Uint8Array;

/**
 * Grows a table row by row.
 *
 * `push` is for clarity; loops over millions of rows call `add` and write to `columns` themselves. `columns` must be
 * read again after each `add`, because growing replaces its arrays.
 */
export class TableBuilder<S extends Schema> {
  readonly columns: {[K in keyof S]: InstanceType<(typeof columnArrays)[S[K]]>};
  #capacity: number;
  #length = 0;
  readonly #names: (keyof S & string)[];

  constructor(
    readonly schema: S,
    capacity = 1024,
  ) {
    this.#capacity = Math.max(1, capacity);
    this.#names = Object.keys(schema);
    this.columns = allocate(schema, this.#capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Appends a row of zeros and returns its index. */
  add(): number {
    if (this.#length === this.#capacity) this.#grow();
    return this.#length++;
  }

  push(row: Row<S>): number {
    const index = this.add();
    for (const name of this.#names) this.columns[name][index] = row[name];
    return index;
  }

  /** The table of the rows so far. The builder must not be used afterwards: the columns may share its memory. */
  finish(): Table<S> {
    const out: Record<string, unknown> = {length: this.#length};
    for (const name of this.#names) out[name] = trim(this.columns[name], this.#length);
    return out as Table<S>;
  }

  #grow(): void {
    this.#capacity *= 2;
    const grown = allocate(this.schema, this.#capacity);
    for (const name of this.#names) {
      grown[name].set(this.columns[name]);
      this.columns[name] = grown[name];
    }
  }
}

/** The rows of `table` at `order`, as a new table. */
export function gather<S extends Schema>(schema: S, table: Columns<S>, order: Uint32Array): Table<S> {
  const out: Record<string, unknown> = {length: order.length};
  for (const name of Object.keys(schema)) {
    const from = table[name];
    const to = new columnArrays[schema[name]](order.length);
    for (let i = 0; i < order.length; i++) to[i] = from[order[i]];
    out[name] = to;
  }
  return out as Table<S>;
}

function allocate<S extends Schema>(schema: S, length: number): TableBuilder<S>['columns'] {
  const out: Record<string, unknown> = {};
  for (const name of Object.keys(schema)) out[name] = new columnArrays[schema[name]](length);
  return out as TableBuilder<S>['columns'];
}

/** Copies only where a quarter or more of the memory would be kept for nothing. */
function trim(column: AnyColumn, length: number): AnyColumn {
  return length * 4 > column.length * 3 ? column.subarray(0, length) : column.slice(0, length);
}
