import {ByteWriter, ParquetWriter, schemaFromColumnData, type BasicType} from 'hyparquet-writer';
import type {ParquetColumn, ParquetType, ParquetValue} from './parquet-column.js';

/** Rows that are stored together, by columns in the order of the file's columns; null for a column without values. */
export interface RowGroup {
  readonly length: number;
  readonly columns: readonly (((row: number) => ParquetValue) | null)[];
}

const physical: Readonly<Record<ParquetType, BasicType>> = {text: 'STRING', integer: 'INT64', real: 'DOUBLE'};

/** Number of rows held in memory at a time. */
const rowsInGroup = 65_536;

/**
 * Yields a Parquet file in pieces. Columns are optional; whole numbers are INT64, reals DOUBLE, texts UTF-8.
 *
 * @param groups rows, written one group after the other; a long group is split
 */
export function* parquetBytes(columns: readonly ParquetColumn[], groups: Iterable<RowGroup>): Generator<Uint8Array> {
  const writer = new ByteWriter();
  const schema = schemaFromColumnData({
    columnData: columns.map(({name, type}) => ({name, data: [], type: physical[type], nullable: true})),
  });
  const file = new ParquetWriter({writer, schema, createdBy: 'gpu-lens'});
  const take = () => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  for (const {length, columns: values} of groups) {
    for (let first = 0; first < length; first += rowsInGroup) {
      const rows = Math.min(rowsInGroup, length - first);
      const columnData = columns.map(({name, type}, at) => ({name, data: cells(values[at], type, first, rows)}));
      void file.write({columnData, rowGroupSize: rows});
      yield take();
    }
  }
  void file.finish();
  yield take();
}

function cells(
  value: ((row: number) => ParquetValue) | null,
  type: ParquetType,
  first: number,
  rows: number,
): unknown[] {
  const made = new Array<unknown>(rows).fill(null);
  if (value === null) return made;
  for (let row = 0; row < rows; row++) made[row] = physicalValue(value(first + row), type);
  return made;
}

/** NaN is absent, as in SQLite. */
function physicalValue(value: ParquetValue, type: ParquetType): ParquetValue {
  if (value === null || Number.isNaN(value)) return null;
  if (type === 'text') return String(value);
  if (type === 'real') return Number(value);
  return typeof value === 'bigint' ? value : BigInt(Math.round(Number(value)));
}
