import {getOrAdd} from '../core/table/get-or-add.js';
import type {UsedColumns} from './used-columns.js';

/** More statements than the rules of findings ask. */
const mostKept = 512;
/** The longest of the rules’ has a quarter; one that a person pastes can be of any length. */
const longestKept = 1 << 14;

/** What was found out about a statement. */
export interface KnownStatement {
  /** The statement alone, without what stands around it in the text. It can only read. */
  readonly sql: string;
  readonly wanted: UsedColumns;
}

/**
 * The statements that were checked last, by the texts that they came in.
 *
 * What a statement reads depends on the tables and views, which are the same in every trace’s database, but not on the rows:
 * the planner knows nothing of those.
 */
export class KnownStatements {
  readonly #known = new Map<string, KnownStatement>();

  /** What is known of a text’s statement; undefined where that is nothing. */
  get(text: string): KnownStatement | undefined {
    const known = this.#known.get(text);
    // Maps keep the order of insertion: the first is the one that was not asked for longest.
    if (known && this.#known.delete(text)) this.#known.set(text, known);
    return known;
  }

  /** Keeps what is known, and forgets what was not asked for longest. */
  add(text: string, known: KnownStatement): void {
    if (text.length > longestKept) return;
    this.#known.set(text, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKept) break;
      this.#known.delete(oldest);
    }
  }
}

/** Table → the columns that some of the statements read. */
export function usedByAll(statements: readonly UsedColumns[]): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const used of statements) {
    for (const [table, columns] of used) {
      const known = getOrAdd(all, table, () => new Set<string>());
      for (const column of columns) known.add(column);
    }
  }
  return all;
}
