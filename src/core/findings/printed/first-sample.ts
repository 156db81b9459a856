import {say} from '../../base/say.js';
import {greatest} from '../../table/extremes.js';
import {formatDuration} from '../../format/duration.js';
import {defineRule, ratio, text, type Fact} from '../rules/rule.js';
import {factName, type PrintedRule} from './printed-rule.js';
import {tablesOf, type PrintedTable} from './printed-tables.js';

const about = {
  id: 'printed/first-sample',
  looksFor:
    'Printed benchmark samples whose first one takes three times the median, and means with a large standard deviation: the measurement includes warm-up.',
  silentBelow:
    'Below four samples or a factor of three; for means, below a standard deviation of half the mean. From a factor of ten, or a deviation above the mean: medium.',
};

/** Each column of samples: the first sample, and the median of all. */
const samples = (table: PrintedTable): string =>
  `WITH samples AS (SELECT column_title, "row", value, row_number() OVER (PARTITION BY column_title ORDER BY value) AS place, count(*) OVER (PARTITION BY column_title) AS n FROM printed WHERE table_id = ${String(table.id)} AND value IS NOT NULL AND column_title <> 'Sample'), firsts AS (SELECT column_title, max(n) AS n, max(CASE WHEN "row" = 0 THEN value END) AS first, avg(CASE WHEN place IN ((n + 1) / 2, (n + 2) / 2) THEN value END) AS median, avg(value) AS mean FROM samples GROUP BY column_title), worst AS (SELECT * FROM firsts WHERE n >= 4 AND first >= 3 * median ORDER BY first / median DESC LIMIT 1)`;

/** Each row of means with deviations. */
const means = (table: PrintedTable): string =>
  `WITH means AS (SELECT "row", max(row_name) AS name, max(CASE WHEN column_title = 'Mean' THEN value END) AS mean, max(CASE WHEN column_title = 'StdDev' THEN value END) AS deviation FROM printed WHERE table_id = ${String(table.id)} GROUP BY "row"), worst AS (SELECT * FROM means WHERE mean > 0 AND deviation >= 0.5 * mean ORDER BY deviation / mean DESC LIMIT 1)`;

/** Finds warm-up inside a benchmark. */
export const firstSample: PrintedRule = {
  ...about,
  ruleFor(tables) {
    const benchmarks = tablesOf(tables, 'benchmark');
    const sampled = benchmarks.filter(({columns}) => columns.includes('Sample'));
    const averaged = benchmarks.filter(({columns}) => columns.includes('Mean') && columns.includes('StdDev'));
    return sampled.length + averaged.length === 0 ? null : ruleOf(sampled, averaged);
  },
};

function ruleOf(sampled: readonly PrintedTable[], averaged: readonly PrintedTable[]) {
  const of = (name: string, table: PrintedTable) => factName(name, table);
  const facts: Record<string, Fact> = {};
  for (const table of sampled) {
    facts[of('factor', table)] = ratio(`${samples(table)} SELECT round(first / median, 2) FROM worst`);
    facts[of('mean', table)] = ratio(`${samples(table)} SELECT round(mean / median, 2) FROM worst`);
    facts[of('name', table)] = text(`${samples(table)} SELECT column_title FROM worst`);
  }
  for (const table of averaged) {
    facts[of('deviation', table)] = ratio(`${means(table)} SELECT round(deviation / mean, 2) FROM worst`);
    facts[of('time', table)] = {sql: `${means(table)} SELECT mean FROM worst`, unit: 'ns'};
    facts[of('name', table)] = text(`${means(table)} SELECT name FROM worst`);
  }
  return defineRule({
    ...about,
    doubtsFigures: true,
    facts,
    conclude(number, fact) {
      const slow = sampled.filter(table => number(of('factor', table)) > 0);
      const wide = averaged.filter(table => number(of('deviation', table)) > 0);
      const name = (table: PrintedTable) => String(fact(of('name', table)));
      const most = greatest([
        ...slow.map(table => number(of('factor', table)) / 10),
        ...wide.map(table => number(of('deviation', table))),
      ]);
      const first = slow.at(0);
      const mean = wide.at(0);
      if (!first && !mean) return null;
      const scatterTitle = (table: PrintedTable | undefined) =>
        table
          ? say(
              '“{0}” scatters by {1} times its mean of {2}: a single sample, such as warm-up, may cause most of that.',
              name(table),
              number(of('deviation', table)),
              formatDuration(number(of('time', table))),
            )
          : '';
      return {
        severity: most >= 1 ? 'medium' : 'low',
        title: first
          ? say(
              'The measurement includes warm-up: the first sample of “{0}” is {1} times the median.',
              name(first),
              String(number(of('factor', first))),
            )
          : scatterTitle(mean),
        evidence: [
          ...slow.flatMap(table => [
            [
              of('factor', table),
              say('{0}: the first sample of “{1}” over the median', table.label, name(table)),
            ] as const,
            [of('mean', table), say('{0}: the mean including it over the median', table.label)] as const,
          ]),
          ...wide.flatMap(table => [
            [
              of('deviation', table),
              say('{0}: the standard deviation of “{1}” over its mean', table.label, name(table)),
            ] as const,
            [of('time', table), say('{0}: its mean', table.label)] as const,
          ]),
        ],
        gainAtMostNs: null,
        advice: say(
          'Run a few steps before you read the clock, call torch.cuda.synchronize() before and after, and report medians: torch.utils.benchmark.Timer does all of this.',
        ),
        link: 'https://docs.pytorch.org/tutorials/recipes/recipes/benchmark.html',
      };
    },
  });
}
