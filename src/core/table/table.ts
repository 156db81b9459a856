/**
 * Column kinds and the arrays behind them while a table grows. Absent is -1 for indices and ids, NaN for measures.
 *
 * `whole` and `few` are for whole numbers that are large in few files: a finished column of the one has 32 bits where
 * they all fit, one of the other 16.
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

export type ColumnKind = keyof typeof columnArrays;
export type Schema = Readonly<Record<string, ColumnKind>>;
export type WholeColumn = Float64Array | Int32Array | Uint16Array;
/** Views over plain (not shared) buffers, so that they can be transferred and posted. */
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
    this.#capacity = Math.max(1, Math.ceil(capacity));
    this.#names = Object.keys(schema);
    this.columns = allocateColumns(schema, this.#capacity);
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

/** The rows of `table` at `order`, as a new table. */
export function gather<S extends Schema>(schema: S, table: Columns<S>, order: Uint32Array): Table<S> {
  const out: Record<string, unknown> = {length: order.length};
  for (const name of Object.keys(schema)) out[name] = gatherColumn(table[name], order);
  return out as Table<S>;
}

/**
 * The same, and lets the table's columns go one by one, then the order: no more than one of them exists twice. Neither may
 * be used afterwards.
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

/** Gives memory back at once, instead of whenever the collector comes by: nobody may use the arrays afterwards. */
export function release(...arrays: readonly {readonly buffer: ArrayBufferLike}[]): void {
  for (const {buffer} of arrays) if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** The values of a column at `order`, as a new one. */
export function gatherColumn<Column extends AnyColumn>(from: Column, order: Uint32Array): Column {
  const to = new (from.constructor as new (length: number) => Column)(order.length);
  copyAt(from, order, to);
  return to;
}

/** One loop for each kind of column: V8 compiles a loop well that meets one kind alone. */
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

/** Columns of zeros, each in a buffer of its own. */
export function allocateColumns<S extends Schema>(schema: S, length: number): TableBuilder<S>['columns'] {
  const out: Record<string, unknown> = {};
  for (const name of Object.keys(schema)) out[name] = new columnArrays[schema[name]](length);
  return out as TableBuilder<S>['columns'];
}

/**
 * Columns that lie one behind the other in a buffer, in the order of the schema: as they stand there, not copied.
 *
 * Wide columns must come before narrow ones and `byteOffset` be a multiple of 8, or a column would not be aligned.
 */
export function columnsAt<S extends Schema>(
  schema: S,
  length: number,
  buffer: ArrayBufferLike,
  byteOffset = 0,
): TableBuilder<S>['columns'] {
  const out: Record<string, unknown> = {};
  for (const name of Object.keys(schema)) {
    // The types of columns say ArrayBuffer, since nobody but the one who shares a buffer need care.
    const column = new columnArrays[schema[name]](buffer as ArrayBuffer, byteOffset, length);
    out[name] = column;
    byteOffset += column.byteLength;
  }
  return out as TableBuilder<S>['columns'];
}

/** How many bytes the columns of `length` rows take. */
export function tableBytes(schema: Schema, length: number): number {
  return Object.values(schema).reduce((sum, kind) => sum + columnArrays[kind].BYTES_PER_ELEMENT * length, 0);
}

function isWhole(kind: ColumnKind): boolean {
  return kind === 'whole' || kind === 'few';
}

/** The first `length` values of a column of whole numbers, in half as many bits where they all fit; lets it go then. */
export function narrowed(column: Float64Array | Int32Array, length: number): WholeColumn {
  const fits = column instanceof Int32Array ? fitIn16Bits(column, length) : fitIn32Bits(column, length);
  if (!fits) return trim(column, length);
  const narrow = column instanceof Int32Array ? new Uint16Array(length) : new Int32Array(length);
  narrow.set(column.subarray(0, length));
  release(column);
  return narrow;
}

function fitIn32Bits(column: Float64Array, length: number): boolean {
  for (let i = 0; i < length; i++) if (column[i] !== (column[i] | 0)) return false;
  return true;
}

function fitIn16Bits(column: Int32Array, length: number): boolean {
  for (let i = 0; i < length; i++) if (column[i] !== (column[i] & 0xffff)) return false;
  return true;
}

/** Copies only where a quarter or more of the memory would be kept for nothing; lets the column go then. */
function trim<Column extends AnyColumn>(column: Column, length: number): Column {
  if (length * 4 > column.length * 3) return column.subarray(0, length) as Column;
  const trimmed = column.slice(0, length) as Column;
  release(column);
  return trimmed;
}
