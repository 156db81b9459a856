import {
  snappyUncompress,
  type ColumnMetaData,
  type DataPageHeader,
  type FileMetaData,
  type SchemaElement,
} from 'hyparquet';
import {parquetHeader} from 'hyparquet/src/column.js';
import {BadParquet} from './bad-parquet.js';
import {endOfStruct, varint} from './check-thrift.js';

type DataPageHeaderV2 = NonNullable<ReturnType<typeof parquetHeader>['data_page_header_v2']>;

/** A summary of a million calls has this many rows. */
const mostRows = 2e6;
/** Limit of the unpacked size of all pages. */
const mostUnpackedBytes = 512e6;

const types: readonly unknown[] = ['INT32', 'INT64', 'FLOAT', 'DOUBLE', 'BYTE_ARRAY'];
const dictionaryEncodings: readonly unknown[] = ['PLAIN_DICTIONARY', 'RLE_DICTIONARY'];

/**
 * Checks that columns of a file can be read within bounds: that no page, run or list claims to be longer than its
 * container. The library that reads them does not check this.
 *
 * @param wanted names of the columns
 * @throws BadParquet
 */
export function checkPages(bytes: Uint8Array, metadata: FileMetaData, wanted: ReadonlySet<string>): void {
  const rows = metadata.row_groups.reduce((sum, {num_rows: count}) => sum + Number(count), 0);
  if (!(rows <= mostRows)) throw new BadParquet(`it has more than ${String(mostRows / 1e6)} million rows`);
  const budget = {leftBytes: mostUnpackedBytes};
  for (const {columns, num_rows: count} of metadata.row_groups) {
    const groupRows = Number(count);
    if (!(groupRows >= 0)) throw new BadParquet('it counts fewer rows than none');
    for (const {meta_data: chunk} of columns) {
      const name = chunk?.path_in_schema.join('.') ?? '';
      if (!chunk || !wanted.has(name)) continue;
      const {from, to} = rangeOf(chunk, bytes.length);
      const isOptional = elementOf(metadata.schema, name).repetition_type !== 'REQUIRED';
      new ChunkCheck(bytes, to, isOptional, chunk.codec === 'SNAPPY', budget).pages(from, groupRows);
    }
  }
}

function rangeOf(chunk: ColumnMetaData, fileBytes: number): {readonly from: number; readonly to: number} {
  if (chunk.codec !== 'SNAPPY' && chunk.codec !== 'UNCOMPRESSED') {
    throw new BadParquet(`it is compressed by ${chunk.codec}, and only Snappy is read`);
  }
  const dictionary = Number(chunk.dictionary_page_offset ?? 0);
  const from = dictionary === 0 ? Number(chunk.data_page_offset) : dictionary;
  const to = from + Number(chunk.total_compressed_size);
  if (from >= 4 && to >= from && to <= fileBytes) return {from, to};
  throw new BadParquet('a column of it is cut off');
}

function elementOf(schema: readonly SchemaElement[], name: string): SchemaElement {
  const found = schema.filter(element => element.name === name);
  const [element] = found;
  const isFlat = found.length === 1 && element.repetition_type !== 'REPEATED' && !element.num_children;
  if (!isFlat || !types.includes(element.type))
    throw new BadParquet(`its column ${name} is of a type that is not read`);
  const {converted_type: converted = 'UTF8', logical_type: logical = {type: 'STRING'}} = element;
  const isPlain = /^(UTF8|INT_64|INT_32|INT_16|INT_8)$/.test(converted) && /^(STRING|INTEGER)$/.test(logical.type);
  if (!isPlain) throw new BadParquet(`its column ${name} is of a type that is not read`);
  return element;
}

/** Checks the pages of a column. */
class ChunkCheck {
  constructor(
    private readonly bytes: Uint8Array,
    private readonly end: number,
    private readonly isOptional: boolean,
    private readonly isPacked: boolean,
    private readonly budget: {leftBytes: number},
  ) {}

  pages(from: number, rows: number): void {
    let at = from;
    let seen = 0;
    while (seen < rows) {
      const next = endOfStruct(this.bytes, at, this.end);
      const header = parquetHeader({view: this.#view(at, next), offset: 0});
      const stored = header.compressed_page_size;
      if (!(stored >= 0 && next + stored <= this.end)) throw new BadParquet('a page of it is cut off');
      if (!(header.uncompressed_page_size >= 0)) throw new BadParquet('a page of it has no length');
      this.budget.leftBytes -= header.uncompressed_page_size;
      if (this.budget.leftBytes < 0) throw new BadParquet('it unpacks to more than 512 MB');
      at = next + stored;
      const page = this.bytes.subarray(next, at);
      seen += this.#page(page, header, rows - seen);
    }
  }

  /** Returns how many rows a page has. */
  #page(page: Uint8Array, header: ReturnType<typeof parquetHeader>, rowsLeft: number): number {
    const {data_page_header: first, data_page_header_v2: second, dictionary_page_header: dictionary} = header;
    const unpackedBytes = header.uncompressed_page_size;
    if (header.type === 'DICTIONARY_PAGE' && dictionary) {
      inRange(dictionary.num_values, unpackedBytes);
      return 0;
    }
    if (header.type === 'DATA_PAGE' && first) return this.#firstKind(page, first, unpackedBytes, rowsLeft);
    if (header.type === 'DATA_PAGE_V2' && second) return this.#secondKind(page, second, unpackedBytes, rowsLeft);
    throw new BadParquet('it has a page of an unknown type');
  }

  /** Levels and values are compressed together. */
  #firstKind(page: Uint8Array, header: DataPageHeader, unpackedBytes: number, rowsLeft: number): number {
    const values = inRange(header.num_values, rowsLeft);
    const unpacked = this.#unpacked(page, unpackedBytes, this.isPacked);
    if (!this.isOptional) return this.#values(unpacked, 0, header.encoding, values);
    if (unpacked.length < 4) throw new BadParquet('a page of it is cut off');
    const levels = new DataView(unpacked.buffer, unpacked.byteOffset).getUint32(0, true);
    checkRuns(unpacked, 4, 4 + inRange(levels, unpacked.length - 4), 1, values);
    return this.#values(unpacked, 4 + levels, header.encoding, values);
  }

  /** Levels come first, uncompressed. */
  #secondKind(page: Uint8Array, header: DataPageHeaderV2, unpackedBytes: number, rowsLeft: number): number {
    const values = inRange(header.num_values, rowsLeft);
    const levels = inRange(header.definition_levels_byte_length, page.length);
    if (header.num_rows !== values || header.repetition_levels_byte_length !== 0) {
      throw new BadParquet('a page of it has other rows than values');
    }
    inRange(header.num_nulls, values);
    if (this.isOptional) checkRuns(page, 0, levels, 1, values);
    const isPacked = this.isPacked && header.is_compressed !== false;
    const unpacked = this.#unpacked(page.subarray(levels), inRange(unpackedBytes - levels, unpackedBytes), isPacked);
    return this.#values(unpacked, 0, header.encoding, values);
  }

  #unpacked(stored: Uint8Array, bytes: number, isPacked: boolean): Uint8Array {
    if (!isPacked || stored.length === 0) return stored;
    const unpacked = new Uint8Array(bytes);
    snappyUncompress(stored, unpacked);
    return unpacked;
  }

  /** Indices into a dictionary come in runs; plain values are as long as their page. */
  #values(page: Uint8Array, from: number, encoding: string, values: number): number {
    if (dictionaryEncodings.includes(encoding)) {
      const width = from < page.length ? page[from] : 0;
      if (width > 32) throw new BadParquet('a page of it has indices of more than 32 bits');
      checkRuns(page, from + 1, page.length, width, values);
    } else if (encoding !== 'PLAIN') throw new BadParquet(`it is encoded as ${encoding}, which is not read`);
    return values;
  }

  #view(from: number, to: number): DataView {
    return new DataView(this.bytes.buffer, this.bytes.byteOffset + from, to - from);
  }
}

function inRange(count: number, most: number): number {
  if (count >= 0 && count <= most) return count;
  throw new BadParquet('a page of it says to hold more than it does');
}

/** @see Apache Parquet, Encodings.md, "Run Length Encoding / Bit-Packing Hybrid" */
function checkRuns(bytes: Uint8Array, from: number, to: number, width: number, values: number): void {
  let at = from;
  for (let seen = 0; seen < values && at < to;) {
    const {value, next} = varint(bytes, at, to);
    const isPacked = value % 2 === 1;
    const count = isPacked ? (value >> 1) * 8 : value >> 1;
    if (count > values + 7) throw new BadParquet('a run of values in it is longer than its page');
    at = next + (isPacked ? (count / 8) * width : (width + 7) >> 3);
    seen += count;
  }
}
