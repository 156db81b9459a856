import type {Rule} from '../rules/rule.js';
import type {PrintedTable} from './printed-tables.js';

/** A rule about texts with printed tables: what it asks depends on the tables that are there. */
export interface PrintedRule {
  readonly id: string;
  readonly looksFor: string;
  readonly silentBelow: string;
  /** The rule for a text with these tables; null where none is for it. */
  ruleFor(tables: readonly PrintedTable[]): Rule | null;
}

/** A table of which many may be: its facts have names of their own. */
export const factName = (name: string, {id}: PrintedTable): string => `${name} ${String(id)}`;
