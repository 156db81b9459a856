import {parquetMetadata, parquetRead, type FileMetaData} from 'hyparquet';
import {BadParquet} from './bad-parquet.js';
import {checkPages} from './check-pages.js';
import {endOfStruct} from './check-thrift.js';
import type {ParquetValue} from './parquet-column.js';

/** The requested columns that a Parquet file has. */
export interface ParquetTable {
  readonly rows: number;
  readonly columns: Readonly<Record<string, ArrayLike<ParquetValue | undefined>>>;
}

const magic = 'PAR1';

/** Returns whether a file that begins with these bytes is a Parquet file. */
export function isParquet(head: Uint8Array): boolean {
  return Buffer.from(head.buffer, head.byteOffset, Math.min(4, head.length)).toString('latin1') === magic;
}

/**
 * Reads columns of numbers and texts from the bytes of a Parquet file, which are not trusted.
 *
 * @param names the columns; those that the file lacks are absent
 * @throws BadParquet
 */
export async function readParquet(bytes: Uint8Array, names: readonly string[]): Promise<ParquetTable> {
  const metadata = await metadataOf(bytes);
  const found = names.filter(name => metadata.schema.some((element, at) => at > 0 && element.name === name));
  return reading('its pages cannot be read', () => columnsOf(bytes, metadata, found));
}

async function columnsOf(bytes: Uint8Array, metadata: FileMetaData, names: readonly string[]): Promise<ParquetTable> {
  checkPages(bytes, metadata, new Set(names));
  const rows = metadata.row_groups.reduce((sum, {num_rows: count}) => sum + Number(count), 0);
  const columns: Record<string, (ParquetValue | undefined)[]> = Object.fromEntries(
    names.map(name => [name, new Array<ParquetValue | undefined>(rows).fill(null)]),
  );
  if (rows === 0 || names.length === 0) return {rows, columns};
  const slice = (from: number, to = bytes.length) => bytes.buffer.slice(bytes.byteOffset + from, bytes.byteOffset + to);
  await parquetRead({
    file: {byteLength: bytes.length, slice: (from, to) => slice(from, to) as ArrayBuffer},
    metadata,
    columns: [...names],
    onChunk: ({columnName, columnData, rowStart}) => {
      const column = columns[columnName];
      for (let row = 0; row < columnData.length; row++) column[rowStart + row] = columnData[row] as ParquetValue;
    },
  });
  return {rows, columns};
}

/** @throws BadParquet */
async function metadataOf(bytes: Uint8Array): Promise<FileMetaData> {
  const footer = bytes.length - 8;
  if (footer < 4 || !isParquet(bytes) || !isParquet(bytes.subarray(footer + 4)))
    throw new BadParquet('its end is cut off');
  const length = new DataView(bytes.buffer, bytes.byteOffset + footer).getUint32(0, true);
  if (length > footer - 4) throw new BadParquet('its footer is cut off');
  endOfStruct(bytes, footer - length, footer);
  return reading('its footer cannot be read', () => parquetMetadata(bytes, {geoparquet: false}));
}

/** Errors of the library name a place in its code; `fault` names the place in the file. */
async function reading<T>(fault: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof BadParquet ? error : new BadParquet(fault, {cause: error});
  }
}
