import type {NsysReader} from '../database/nsys-reader.js';

/** How one table of events is read that may or may not be in an export. */
export interface EventReader {
  readonly table: string;
  /** What a person calls its rows, for notes. */
  readonly what: string;
  /** Columns without which its rows say nothing: where one is missing, the table is not read, and a note says so. */
  readonly columns: readonly string[];
  /** Yields the number of rows since it last yielded. */
  readonly read: (reader: NsysReader) => Generator<number>;
}
