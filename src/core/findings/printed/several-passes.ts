import {formatCount} from '../../format/count.js';
import {count, defineRule, ns, percent, text, type Fact} from '../rules/rule.js';
import {rangeReports, rangeTables} from './nvtx-rows.js';
import {factName, type PrintedRule} from './printed-rule.js';
import {tablesOf, type PrintedTable} from './printed-tables.js';

const about = {
  id: 'printed/several-passes',
  looksFor: 'Printed ranges of several passes beside a step that ran once: their quotient is no share of the step.',
  silentBelow:
    'Where counts of ranges have no common divisor from 2 on, or no range that ran once holds the others. High from a quotient of 100 %.',
};

/** Instances of several passes over one step. */
export const severalPasses: PrintedRule = {
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
      const share = (table: PrintedTable) => number(factName('share', table));
      const found = tables.filter(table => share(table) > 0);
      const worst = found.reduce<PrintedTable | null>(
        (most, it) => (most && share(most) >= share(it) ? most : it),
        null,
      );
      if (!worst) return null;
      const of = (name: string) => factName(name, worst);
      const name = (which: string) => String(fact(of(which)));
      return {
        severity: share(worst) >= 100 ? 'high' : 'medium',
        title: `“${name('range')}” was summed over ${formatCount(number(of('passes')))} passes, and “${name('stepName')}” ran once: ${String(share(worst))} % is no share of that step.`,
        evidence: found.flatMap(table => evidenceOf(table, fact)),
        gainAtMostNs: null,
        advice:
          'Divide instances of one pass by that pass: filter the report by the step’s range (nsys stats --filter-nvtx=STEP), or start the capture behind the warm-up (--capture-range=cudaProfilerApi with torch.cuda.profiler.start()). The medians give a first idea.',
        link: 'https://docs.nvidia.com/nsight-systems/UserGuide/index.html',
      };
    },
  });
}

function factsOf(table: PrintedTable): Record<string, Fact> {
  const tablesSql = rangeTables(table);
  return {
    share: percent(
      `${tablesSql} SELECT round(100.0 * l.total / s.total, 1) FROM largest AS l, step AS s, passes WHERE passes.n > 1`,
    ),
    median: percent(
      `${tablesSql} SELECT round(100.0 * l.median * l.n / passes.n / s.total, 1) FROM largest AS l, step AS s, passes`,
    ),
    total: ns(`${tablesSql} SELECT total FROM largest`),
    instances: count(`${tablesSql} SELECT n FROM largest`),
    passes: count(`${tablesSql} SELECT n FROM passes`),
    others: count(`${tablesSql} SELECT n - 1 FROM passes`),
    step: ns(`${tablesSql} SELECT total FROM step`),
    range: text(`${tablesSql} SELECT name FROM largest`),
    stepName: text(`${tablesSql} SELECT name FROM step`),
  };
}

function evidenceOf(table: PrintedTable, fact: (name: string) => unknown): (readonly [string, string])[] {
  const of = (name: string) => factName(name, table);
  const [range, step] = [String(fact(of('range'))), String(fact(of('stepName')))];
  return [
    [of('share'), `${table.label}: CPU time of all instances of “${range}” over “${step}”`],
    [of('total'), `${table.label}: CPU time of all instances of “${range}”`],
    [of('instances'), `${table.label}: instances of “${range}”`],
    [of('passes'), `${table.label}: passes that they are of: all counts are multiples of it`],
    [of('others'), `${table.label}: of these, passes beside the one of the step, such as warm-up`],
    [of('step'), `${table.label}: CPU time of “${step}”, which ran once`],
    [of('median'), `${table.label}: the instances of one pass at their median over “${step}”, CPU time still`],
  ];
}
