import type {Rule} from '../rules/rule.js';
import type {PrintedTable} from './printed-tables.js';

/** A rule about texts with printed tables. Its questions depend on the tables in the text. */
export interface PrintedRule {
  readonly id: string;
  readonly looksFor: string;
  readonly silentBelow: string;
  /** Returns the rule for a text with these tables; null if none is suitable. */
  ruleFor(tables: readonly PrintedTable[]): Rule | null;
}

/** Returns the name of a fact of a table, distinct for each of several tables. */
export const factName = (name: string, {id}: PrintedTable): string => `${name} ${String(id)}`;
