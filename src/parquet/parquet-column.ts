/** The type of a Parquet column's values. */
export type ParquetType = 'text' | 'integer' | 'real';

/** A column of a Parquet file. Every column may have empty cells. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: ParquetType;
}

/** The value of a cell; null if it is empty. */
export type ParquetValue = string | number | bigint | null;
