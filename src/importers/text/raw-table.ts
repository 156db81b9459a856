/** A table as it is laid out in a text, before anybody has asked what it says. */
export interface RawTable {
  /** The line that it begins at, from 0. */
  readonly firstLine: number;
  /** The first line behind it. */
  readonly endLine: number;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Lines, from 0, in the place of rows that do not fit the columns. */
  readonly badLines: readonly number[];
}

/** More columns than this make no table: a hostile text could ask for millions. */
export const mostColumns = 200;

/** Reads the table that begins at a line, null where none does. */
export type TableReader = (lines: readonly string[], at: number) => RawTable | null;
