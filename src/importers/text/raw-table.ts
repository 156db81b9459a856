/** A table as laid out in a text, before it is interpreted. */
export interface RawTable {
  /** The line at which it begins, from 0. */
  readonly firstLine: number;
  /** The first line after it. */
  readonly endLine: number;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Lines, from 0, in place of rows that do not fit the columns. */
  readonly badLines: readonly number[];
}

/** More columns than this are not accepted as a table: a hostile text could claim millions. */
export const mostColumns = 200;

/** Reads the table that begins at a line; null if none does. */
export type TableReader = (lines: readonly string[], at: number) => RawTable | null;
