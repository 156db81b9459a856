import type {NsysReader} from '../database/nsys-reader.js';

/** How to read one optional table of events. */
export interface EventReader {
  readonly table: string;
  /** Display name of its rows, for notes. */
  readonly what: string;
  /** Columns without which its rows are useless: if one is missing, the table is skipped with a note. */
  readonly columns: readonly string[];
  /** Yields the number of rows since it last yielded. */
  readonly read: (reader: NsysReader) => Generator<number>;
}
