import type {StringTable} from '../../core/table/string-table.js';
import type {NsysDatabase} from './nsys-database.js';

/** Indices in the trace's string table of the texts in `StringIds`, by nsys's id. */
export class NsysStrings {
  readonly #indexOfId = new Map<number, number>();

  constructor(
    db: NsysDatabase,
    readonly table: StringTable,
  ) {
    for (const [id, value] of db.rows<[number, unknown]>('select id, value from StringIds')) {
      if (typeof value === 'string') this.#indexOfId.set(id, table.intern(value));
    }
  }

  /** The string of an id; an id that is not in the file (or null) gives the empty string. */
  index(id: number | null): number {
    return id === null ? 0 : (this.#indexOfId.get(id) ?? 0);
  }

  text(id: number | null): string {
    return this.table.get(this.index(id));
  }
}
