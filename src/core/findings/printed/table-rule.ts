import {say} from '../../base/say.js';
import {defineRule, type Conclusion, type Fact, type FactValue} from '../rules/rule.js';
import {factName, type PrintedRule} from './printed-rule.js';
import {tablesOf, type PrintedTable} from './printed-tables.js';

/** A table, with the answers about it. */
export interface AskedTable {
  readonly label: string;
  number(fact: string): number;
  text(fact: string): FactValue;
  /** Returns evidence for a fact; its text follows the table's label. */
  says(fact: string, text: string): readonly [fact: string, text: string];
}

/**
 * Returns a rule that asks the same of each of some tables, and reports the one in which the problem weighs most.
 *
 * @param rule `factsOf` returns the questions for each table; `weight` orders tables, and excludes those with 0;
 *   `conclude` gets the heaviest, and all of them with it in front
 */
export function tableRule(rule: {
  readonly id: string;
  readonly looksFor: string;
  readonly silentBelow: string;
  readonly doubtsFigures?: boolean;
  readonly reports: readonly Parameters<typeof tablesOf>[1][];
  /** A column that a table must have. */
  readonly needsColumn?: string;
  readonly factsOf: (table: PrintedTable) => Readonly<Record<string, Fact>>;
  readonly weight: (table: AskedTable) => number;
  readonly conclude: (worst: AskedTable, found: readonly AskedTable[]) => Conclusion;
}): PrintedRule {
  const {id, looksFor, silentBelow, doubtsFigures = false, reports, needsColumn, factsOf, weight, conclude} = rule;
  const about = {id, looksFor, silentBelow};
  return {
    ...about,
    ruleFor(all) {
      const tables = tablesOf(all, ...reports).filter(
        ({columns}) => needsColumn === undefined || columns.includes(needsColumn),
      );
      if (tables.length === 0) return null;
      const facts = Object.fromEntries(
        tables.flatMap(table => Object.entries(factsOf(table)).map(([name, fact]) => [factName(name, table), fact])),
      );
      return defineRule({
        ...about,
        doubtsFigures,
        facts,
        conclude(number, text) {
          const found = tables
            .map(table => askedTable(table, number, text))
            .filter(table => weight(table) > 0)
            .sort((a, b) => weight(b) - weight(a));
          const worst = found.at(0);
          return worst ? conclude(worst, found) : null;
        },
      });
    },
  };
}

function askedTable(
  table: PrintedTable,
  number: (fact: string) => number,
  text: (fact: string) => FactValue,
): AskedTable {
  const of = (fact: string) => factName(fact, table);
  return {
    label: table.label,
    number: fact => number(of(fact)),
    text: fact => text(of(fact)),
    says: (fact, said) => [of(fact), say('{0}: {1}', table.label, said)],
  };
}
