/**
 * Column kinds, and the arrays behind them while a table grows. An absent value is -1 for indices and ids, NaN for
 * measures.
 *
 * `whole` and `few` are for whole numbers that are large in few files. A finished column has the narrowest of
 * `narrowArrays` that fits all values.
 */
export const columnArrays = {
  f64: Float64Array,
  whole: Float64Array,
  few: Int32Array,
  f32: Float32Array,
  i32: Int32Array,
  u16: Uint16Array,
  u8: Uint8Array,
} as const;

/** Alternatives for a finished column of whole numbers, narrowest first. */
export const narrowArrays = {whole: [Int32Array], few: [Uint8Array, Uint16Array]} as const;

export type ColumnKind = keyof typeof columnArrays;
export type Schema = Readonly<Record<string, ColumnKind>>;
export type WholeColumn = Float64Array | Int32Array | Uint16Array | Uint8Array;
/** Views over plain (not shared) buffers, which can be transferred and posted. */
export type Columns<S extends Schema> = {
  readonly [K in keyof S]: S[K] extends 'whole' | 'few' ? WholeColumn : InstanceType<(typeof columnArrays)[S[K]]>;
};
/** A struct of arrays: one typed array per column, every column `length` long. */
export type Table<S extends Schema> = Columns<S> & {readonly length: number};
export type Row<S extends Schema> = {readonly [K in keyof S]: number};

type AnyColumn = Float64Array | Float32Array | Int32Array | Uint16Array | Uint8Array;

/**
 * Grows a table row by row.
 *
 * `push` is convenient. Loops over millions of rows call `add` and write to `columns` themselves. Read `columns` again
 * after each `add`, because growing replaces the arrays.
 */
export class TableBuilder<S extends Schema> {
  readonly columns: {[K in keyof S]: InstanceType<(typeof columnArrays)[S[K]]>};
  #capacity: number;
  #length = 0;
  readonly #bytesPerRow: number;
  readonly #names: (keyof S & string)[];

  constructor(
    readonly schema: S,
    capacity = 1024,
  ) {
    this.#capacity = Math.max(1, Math.ceil(capacity));
    this.#names = Object.keys(schema);
    this.#bytesPerRow = tableBytes(schema, 1);
    this.columns = allocateColumns(schema, this.#capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** The memory of the rows so far, in bytes. */
  get rowBytes(): number {
    return this.#length * this.#bytesPerRow;
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

  /** Appends the first `length` rows of columns; missing columns are zero. */
  append(columns: Partial<Readonly<Record<keyof S, AnyColumn>>>, length: number): void {
    if (length === 0) return;
    while (this.#length + length > this.#capacity) this.#grow();
    for (const name of this.#names) {
      const column = columns[name];
      if (column) this.columns[name].set(column.subarray(0, length), this.#length);
    }
    this.#length += length;
  }

  /**
   * Returns the table of the rows so far. The builder must not be used afterwards: the columns may share its memory.
   */
  finish(): Table<S> {
    const out: Record<string, unknown> = {length: this.#length};
    for (const name of this.#names) {
      const column = this.columns[name];
      out[name] = isWhole(this.schema[name])
        ? narrowed(column as Float64Array | Int32Array, this.#length)
        : trim(column, this.#length);
    }
    return out as Table<S>;
  }

  #grow(): void {
    this.#capacity *= 2;
    const grown = allocateColumns(this.schema, this.#capacity);
    for (const name of this.#names) {
      grown[name].set(this.columns[name]);
      release(this.columns[name]);
      this.columns[name] = grown[name];
    }
  }
}

/** Returns the rows of `table` at `order`, as a new table. */
export function gather<S extends Schema>(schema: S, table: Columns<S>, order: Uint32Array): Table<S> {
  const out: Record<string, unknown> = {length: order.length};
  for (const name of Object.keys(schema)) out[name] = gatherColumn(table[name], order);
  return out as Table<S>;
}

/**
 * Does the same, and releases the table's columns one by one, then the order, so that at most one column exists twice.
 * Neither may be used afterwards.
 */
export function takeInOrder<S extends Schema>(schema: S, table: Columns<S>, order: Uint32Array): Table<S> {
  const out: Record<string, unknown> = {length: order.length};
  for (const name of Object.keys(schema)) {
    out[name] = gatherColumn(table[name], order);
    release(table[name]);
  }
  release(order);
  return out as Table<S>;
}

/** Frees memory immediately, rather than at the next garbage collection. Nobody may use the arrays afterwards. */
export function release(...arrays: readonly {readonly buffer: ArrayBufferLike}[]): void {
  for (const {buffer} of arrays) if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Returns the values of a column at `order`, as a new column. */
export function gatherColumn<Column extends AnyColumn>(from: Column, order: Uint32Array): Column {
  const to = new (from.constructor as new (length: number) => Column)(order.length);
  copyAt(from, order, to);
  return to;
}

/** One loop for each kind of column: V8 optimises a loop well if it sees only one kind. */
function copyAt(from: AnyColumn, order: Uint32Array, to: AnyColumn): void {
  if (from instanceof Float64Array) copyDoublesAt(from, order, to);
  else if (from instanceof Int32Array) copyIntegersAt(from, order, to);
  else if (from instanceof Uint16Array) copyShortAt(from, order, to);
  else copySmallAt(from, order, to);
}

function copyDoublesAt(from: Float64Array, order: Uint32Array, to: AnyColumn): void {
  for (let i = 0; i < order.length; i++) to[i] = from[order[i]];
}

function copyIntegersAt(from: Int32Array, order: Uint32Array, to: AnyColumn): void {
  for (let i = 0; i < order.length; i++) to[i] = from[order[i]];
}

function copyShortAt(from: Uint16Array, order: Uint32Array, to: AnyColumn): void {
  for (let i = 0; i < order.length; i++) to[i] = from[order[i]];
}

function copySmallAt(from: AnyColumn, order: Uint32Array, to: AnyColumn): void {
  for (let i = 0; i < order.length; i++) to[i] = from[order[i]];
}

/** Creates columns of zeros, each in its own buffer. */
export function allocateColumns<S extends Schema>(schema: S, length: number): TableBuilder<S>['columns'] {
  const out: Record<string, unknown> = {};
  for (const name of Object.keys(schema)) out[name] = new columnArrays[schema[name]](length);
  return out as TableBuilder<S>['columns'];
}

/**
 * Returns columns as views of consecutive parts of a buffer, in the order of the schema, without copying.
 *
 * Wide columns must come before narrow ones, and `byteOffset` must be a multiple of 8, so that columns are aligned.
 */
export function columnsAt<S extends Schema>(
  schema: S,
  length: number,
  buffer: ArrayBufferLike,
  byteOffset = 0,
): TableBuilder<S>['columns'] {
  const out: Record<string, unknown> = {};
  for (const name of Object.keys(schema)) {
    // The types of columns name ArrayBuffer, because only the code that shares a buffer needs to care.
    const column = new columnArrays[schema[name]](buffer as ArrayBuffer, byteOffset, length);
    out[name] = column;
    byteOffset += column.byteLength;
  }
  return out as TableBuilder<S>['columns'];
}

/**
 * Creates columns of zeros in one buffer, for short-lived tables: large blocks return to the system at once, while
 * smaller ones leave holes.
 *
 * Wide columns must come before narrow ones, so that columns are aligned.
 */
export function allocateTogether<S extends Schema>(schema: S, length: number): TableBuilder<S>['columns'] {
  return columnsAt(schema, length, new ArrayBuffer(tableBytes(schema, length)));
}

/** Returns the bytes of the columns of `length` rows. */
export function tableBytes(schema: Schema, length: number): number {
  return Object.values(schema).reduce((sum, kind) => sum + columnArrays[kind].BYTES_PER_ELEMENT * length, 0);
}

/** Returns whether finished columns of a kind may be narrower than growing ones. */
export function isWhole(kind: ColumnKind): kind is keyof typeof narrowArrays {
  return kind in narrowArrays;
}

/**
 * Returns the first `length` values of a column of whole numbers in the narrowest array that fits. Releases the column
 * if the result is narrower.
 */
export function narrowed(column: Float64Array | Int32Array, length: number): WholeColumn {
  for (const narrowArray of column instanceof Int32Array ? narrowArrays.few : narrowArrays.whole) {
    const narrow = new narrowArray(length);
    const fits = column instanceof Int32Array ? copyIntegers(column, narrow) : copyDoubles(column, narrow);
    release(fits ? column : narrow);
    if (fits) return narrow;
  }
  return trim(column, length);
}

// Whether every number has the same value in the narrow column as in the wide one.

function copyDoubles(wide: Float64Array, narrow: WholeColumn): boolean {
  for (let i = 0; i < narrow.length; i++) {
    narrow[i] = wide[i];
    if (narrow[i] !== wide[i]) return false;
  }
  return true;
}

function copyIntegers(wide: Int32Array, narrow: WholeColumn): boolean {
  for (let i = 0; i < narrow.length; i++) {
    narrow[i] = wide[i];
    if (narrow[i] !== wide[i]) return false;
  }
  return true;
}

/**
 * Returns the first `length` values of a column. Copies them, and releases the column, only if a quarter or more of the
 * memory would be wasted.
 */
export function trim<Column extends AnyColumn>(column: Column, length: number): Column {
  if (length * 4 > column.length * 3) return column.subarray(0, length) as Column;
  const trimmed = column.slice(0, length) as Column;
  release(column);
  return trimmed;
}
