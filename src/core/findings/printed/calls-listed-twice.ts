import {plural} from '../../format/count.js';
import {formatDuration} from '../../format/duration.js';
import {count, defineRule, ns, percent, type Fact} from '../rules/rule.js';
import {factName, type PrintedRule} from './printed-rule.js';
import {rowsOf, tablesOf, type PrintedTable} from './printed-tables.js';

const about = {
  id: 'printed/calls-listed-twice',
  looksFor:
    'Two rows of a printed summary of API calls with the same name and count, and nearly the same time: calls that two APIs recorded.',
  silentBelow: 'Where their times differ by more than a tenth, or all such rows take less than 1 % of the table.',
};

/** Rows that have a twin before them. */
const twins = (table: PrintedTable): string =>
  `WITH calls AS (${rowsOf(table, {total: 'Total Time', n: 'Num Calls'})}), twins AS (SELECT b.total AS total, b.n AS n FROM calls AS a JOIN calls AS b ON a.name = b.name AND a.n = b.n AND a."row" < b."row" AND abs(a.total - b.total) <= 0.1 * max(a.total, b.total))`;

/** Calls counted by two APIs. */
export const callsListedTwice: PrintedRule = {
  ...about,
  ruleFor(tables) {
    const asked = tablesOf(tables, 'cuda_api_sum');
    return asked.length === 0 ? null : ruleOf(asked);
  },
};

function ruleOf(tables: readonly PrintedTable[]) {
  const facts: Record<string, Fact> = Object.fromEntries(
    tables.flatMap(table => Object.entries(factsOf(table)).map(([name, fact]) => [factName(name, table), fact])),
  );
  return defineRule({
    ...about,
    doubtsFigures: true,
    facts,
    conclude(number) {
      const of = (name: string, table: PrintedTable) => factName(name, table);
      const found = tables.filter(table => number(of('share', table)) >= 1);
      const first = found.at(0);
      if (!first) return null;
      return {
        severity: 'medium',
        title: `API calls are listed twice: ${plural(number(of('rows', first)), 'row')} of ${first.label} repeat another, so that ${formatDuration(number(of('time', first)))} counts double.`,
        evidence: found.flatMap((table): (readonly [string, string])[] => [
          [of('time', table), `${table.label}: time that counts double`],
          [of('share', table), `${table.label}: its share of the table’s time`],
          [of('calls', table), `${table.label}: calls that count double`],
          [of('rows', table), `${table.label}: rows that repeat another`],
        ]),
        gainAtMostNs: null,
        advice:
          'Count one row of each pair: the runtime’s API and a wrapper around it (or two copies of CUPTI) both recorded the call. The percentages of all other rows are too small by this share.',
        link: 'https://docs.nvidia.com/nsight-systems/UserGuide/index.html',
      };
    },
  });
}

function factsOf(table: PrintedTable): Record<string, Fact> {
  const tables = twins(table);
  return {
    rows: count(`${tables} SELECT count(*) FROM twins`),
    time: ns(`${tables} SELECT CAST(coalesce(sum(total), 0) AS INTEGER) FROM twins`),
    calls: count(`${tables} SELECT coalesce(sum(n), 0) FROM twins`),
    share: percent(`${tables} SELECT round(100.0 * sum(total) / (SELECT sum(total) FROM calls), 1) FROM twins`),
  };
}
