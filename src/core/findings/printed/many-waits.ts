import {formatCount} from '../../format/count.js';
import {formatDuration} from '../../format/duration.js';
import {count, defineRule, ns, percent, text, type Fact} from '../rules/rule.js';
import {factName, type PrintedRule} from './printed-rule.js';
import {rowsOf, tablesOf, type PrintedTable} from './printed-tables.js';

const about = {
  id: 'printed/many-waits',
  looksFor:
    'Operators in a printed key_averages that copy a value to the CPU and wait for it: item, _local_scalar_dense, nonzero, is_nonzero.',
  silentBelow: 'Below 100 calls, or 3 % of the CPU’s time. From 10 %: medium; from 25 %: high.',
};
const waits = "'aten::item', 'aten::_local_scalar_dense', 'aten::nonzero', 'aten::is_nonzero', 'aten::equal'";

const waitRows = (table: PrintedTable): string =>
  `WITH operators AS (${rowsOf(table, {n: '# of Calls', cpu: 'CPU total', share: 'CPU total %'})}), worst AS (SELECT * FROM operators WHERE name IN (${waits}) AND n >= 100 AND share >= 3 ORDER BY cpu DESC, "row" LIMIT 1)`;

/** Synchronisation, as operators tell of it. */
export const manyWaits: PrintedRule = {
  ...about,
  ruleFor(tables) {
    const asked = tablesOf(tables, 'key_averages').filter(({columns}) => columns.includes('CPU total %'));
    return asked.length === 0 ? null : ruleOf(asked);
  },
};

function ruleOf(tables: readonly PrintedTable[]) {
  const facts: Record<string, Fact> = Object.fromEntries(
    tables.flatMap(table => Object.entries(factsOf(table)).map(([name, fact]) => [factName(name, table), fact])),
  );
  return defineRule({
    ...about,
    facts,
    conclude(number, fact) {
      const of = (name: string, table: PrintedTable) => factName(name, table);
      const time = (table: PrintedTable) => number(of('cpu', table));
      const worst = tables
        .filter(table => time(table) > 0)
        .sort((a, b) => time(b) - time(a))
        .at(0);
      if (!worst) return null;
      const [name, share] = [String(fact(of('name', worst))), number(of('share', worst))];
      const isWorthMore = share >= 25 ? 'high' : 'medium';
      return {
        severity: share >= 10 ? isWorthMore : 'low',
        title: `The CPU waits for single values: ${formatCount(number(of('calls', worst)))} calls of ${name} take ${formatDuration(time(worst))}, ${String(share)} % of its time.`,
        evidence: [
          [of('calls', worst), `${worst.label}: calls of ${name}`],
          [of('cpu', worst), `${worst.label}: CPU time of them, with what they call`],
          [of('share', worst), `${worst.label}: its share of the CPU’s time`],
        ],
        gainAtMostNs: time(worst),
        advice:
          'Each .item(), float(tensor), if tensor: or printing of a tensor waits until the GPU has done all its work. Keep values on the GPU, and copy them together once: losses.append(loss.detach()), later torch.stack(losses).cpu().',
        link: 'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#avoid-unnecessary-cpu-gpu-synchronization',
      };
    },
  });
}

function factsOf(table: PrintedTable): Record<string, Fact> {
  const tables = waitRows(table);
  return {
    calls: count(`${tables} SELECT n FROM worst`),
    cpu: ns(`${tables} SELECT cpu FROM worst`),
    share: percent(`${tables} SELECT share FROM worst`),
    name: text(`${tables} SELECT name FROM worst`),
  };
}
