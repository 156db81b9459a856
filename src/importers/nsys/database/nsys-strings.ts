import type {StringTable} from '../../../core/table/string-table.js';
import {bytesPerEntry, type MemoryBudget} from '../../reading/memory-budget.js';
import type {NsysDatabase} from './nsys-database.js';

/** Ids count from 0 in every file seen; larger ones than these are kept in a map. */
const mostDenseIds = 1 << 22;

/** Maps nsys's ids of `StringIds` to indices in the trace's string table. */
export class NsysStrings {
  #indexOfId = new Int32Array(1024);
  readonly #indexOfRareId = new Map<number, number>();

  constructor(
    db: NsysDatabase,
    readonly table: StringTable,
    budget: MemoryBudget | null = null,
  ) {
    budget?.watch(() => this.#indexOfId.byteLength + this.#indexOfRareId.size * bytesPerEntry);
    for (const [id, value] of db.rows<[unknown, unknown]>('select id, value from StringIds')) {
      if (budget?.isSpent()) return;
      if (typeof value === 'string' && typeof id === 'number') this.#set(id, table.intern(value));
    }
  }

  /** Returns the string of an id; the empty string if the file lacks the id, or it is not a number. */
  index(id: number): number {
    const dense = id >>> 0;
    if (dense === id && dense < this.#indexOfId.length) return this.#indexOfId[dense];
    return this.#indexOfRareId.get(id) ?? 0;
  }

  text(id: number): string {
    return this.table.get(this.index(id));
  }

  #set(id: number, index: number): void {
    if (!Number.isInteger(id) || id < 0 || id >= mostDenseIds) {
      this.#indexOfRareId.set(id, index);
      return;
    }
    if (id >= this.#indexOfId.length) {
      const grown = new Int32Array(Math.max(id + 1, this.#indexOfId.length * 2));
      grown.set(this.#indexOfId);
      this.#indexOfId = grown;
    }
    this.#indexOfId[id] = index;
  }
}
