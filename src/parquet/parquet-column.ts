/** What a column of a Parquet file holds. */
export type ParquetType = 'text' | 'integer' | 'real';

/** A column of a Parquet file. Every column may have empty cells. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: ParquetType;
}

/** A value of a cell: null where it is empty. */
export type ParquetValue = string | number | bigint | null;
