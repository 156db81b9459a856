import {formatDuration} from '../../format/duration.js';
import {count, defineRule, ns, ratio, text, type Fact} from '../rules/rule.js';
import {rangeReports, rangeTables} from './nvtx-rows.js';
import {factName, type PrintedRule} from './printed-rule.js';
import {tablesOf, type PrintedTable} from './printed-tables.js';

const about = {
  id: 'printed/slow-instances',
  looksFor: 'Printed totals of ranges whose longest instance takes ten times the median: warm-up inside the total.',
  silentBelow:
    'Below four instances, a factor of ten, or 3 % of the range’s total in that one instance. From a third of the total: medium.',
};

/** Ranges with an instance that is far out. */
const slow = (table: PrintedTable): string =>
  `${rangeTables(table)}, slow AS (SELECT name, total, n, median, longest FROM ranges WHERE n >= 4 AND longest >= 10 * median AND longest - median >= 0.03 * total), worst AS (SELECT * FROM slow ORDER BY total - n * median DESC, name LIMIT 1)`;

/** Totals that include warm-up. */
export const slowInstances: PrintedRule = {
  ...about,
  ruleFor(tables) {
    const asked = tablesOf(tables, ...rangeReports);
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
    conclude(number, fact) {
      const of = (name: string, table: PrintedTable) => factName(name, table);
      const excess = (table: PrintedTable) => number(of('longest', table)) - number(of('median', table));
      const found = tables.filter(table => number(of('ranges', table)) > 0).sort((a, b) => excess(b) - excess(a));
      const worst = found.at(0);
      if (!worst) return null;
      return {
        severity: excess(worst) >= number(of('total', worst)) / 3 ? 'medium' : 'low',
        title: `One instance of “${String(fact(of('range', worst)))}” takes ${formatDuration(number(of('longest', worst)))}, ${String(number(of('factor', worst)))} times the median: totals and averages include warm-up.`,
        evidence: found.flatMap((table): (readonly [string, string])[] => [
          [
            of('factor', table),
            `${table.label}: the longest instance of “${String(fact(of('range', table)))}” over the median`,
          ],
          [of('longest', table), `${table.label}: the longest instance`],
          [of('median', table), `${table.label}: the median`],
          [of('total', table), `${table.label}: all instances`],
          [of('ranges', table), `${table.label}: ranges with such an instance`],
        ]),
        gainAtMostNs: null,
        advice:
          'Compare medians, or leave the first steps out: torch.profiler.schedule(wait=1, warmup=3, active=3), or --capture-range=cudaProfilerApi and torch.cuda.profiler.start() behind the warm-up.',
        link: 'https://docs.pytorch.org/tutorials/recipes/recipes/profiler_recipe.html',
      };
    },
  });
}

function factsOf(table: PrintedTable): Record<string, Fact> {
  const tables = slow(table);
  return {
    ranges: count(`${tables} SELECT count(*) FROM slow`),
    factor: ratio(`${tables} SELECT round(longest / median, 1) FROM worst`),
    longest: ns(`${tables} SELECT longest FROM worst`),
    median: ns(`${tables} SELECT median FROM worst`),
    total: ns(`${tables} SELECT total FROM worst`),
    range: text(`${tables} SELECT name FROM worst`),
  };
}
