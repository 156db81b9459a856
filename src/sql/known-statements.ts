import {getOrAdd} from '../core/table/get-or-add.js';
import type {UsedColumns} from './used-columns.js';

/** More than the number of statements of the findings' rules. */
const mostKept = 512;
/** Four times the rules’ longest statement. Pasted statements can have any length. */
const longestKept = 1 << 14;

/** Facts about a checked statement. */
export interface KnownStatement {
  /** The statement without the surrounding text. It only reads. */
  readonly sql: string;
  readonly wanted: UsedColumns;
}

/**
 * The most recently checked statements, by their original texts.
 *
 * What a statement reads depends on the tables and views, which are the same in every trace’s database, but not on the rows:
 * the planner does not know the rows.
 */
export class KnownStatements {
  readonly #known = new Map<string, KnownStatement>();

  /** Returns the facts about a text’s statement; undefined if it is unknown. */
  get(text: string): KnownStatement | undefined {
    const known = this.#known.get(text);
    // Maps keep the order of insertion: the first is the least recently used.
    if (known && this.#known.delete(text)) this.#known.set(text, known);
    return known;
  }

  /** Stores facts, and drops the least recently used. */
  add(text: string, known: KnownStatement): void {
    if (text.length > longestKept) return;
    this.#known.set(text, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKept) break;
      this.#known.delete(oldest);
    }
  }
}

/** Table → the columns that any of the statements reads. */
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
