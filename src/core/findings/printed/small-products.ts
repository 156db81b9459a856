import {formatCount} from '../../format/count.js';
import {formatDuration} from '../../format/duration.js';
import {count, defineRule, ns, ratio, text, type Fact} from '../rules/rule.js';
import {factName, type PrintedRule} from './printed-rule.js';
import {rowsOf, tablesOf, type PrintedTable} from './printed-tables.js';

const about = {
  id: 'printed/small-products',
  looksFor: 'Many small matrix products in a printed key_averages: experts, or other parts of a model, one by one.',
  silentBelow:
    'Below 1,000 calls, or where a call takes more than 100 µs of the GPU, or more of the GPU than of the CPU.',
};

/** Wide products launch the narrow ones: `linear` and `matmul` are not asked. */
const productRows = (table: PrintedTable): string =>
  `WITH operators AS (${rowsOf(table, {n: '# of Calls', cpu: 'CPU time avg', gpu: 'CUDA time avg', gpu_total: 'CUDA total'})}), worst AS (SELECT * FROM operators WHERE name IN ('aten::addmm', 'aten::mm', 'aten::bmm', 'aten::baddbmm') AND n >= 1000 AND gpu > 0 AND gpu <= 100000 AND cpu > gpu ORDER BY n DESC, "row" LIMIT 1), experts AS (SELECT name, n FROM operators WHERE (name LIKE '%expert%' OR name LIKE '%moe%') AND (SELECT n FROM worst) % n = 0 ORDER BY n DESC, length(name) LIMIT 1)`;

/** Experts one by one, as operators tell of it. */
export const smallProducts: PrintedRule = {
  ...about,
  ruleFor(tables) {
    const asked = tablesOf(tables, 'key_averages').filter(({columns}) => columns.includes('CUDA time avg'));
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
      const calls = (table: PrintedTable) => number(of('calls', table));
      const worst = tables
        .filter(table => calls(table) > 0)
        .sort((a, b) => calls(b) - calls(a))
        .at(0);
      if (!worst) return null;
      const name = String(fact(of('name', worst)));
      const each = `${formatDuration(number(of('gpu', worst)))} of the GPU and ${formatDuration(number(of('cpu', worst)))} of the CPU`;
      const experts = fact(of('expertName', worst));
      return {
        severity: 'medium',
        title: `Matrix products are small and many: ${formatCount(calls(worst))} calls of ${name}, each ${each}.`,
        evidence: [
          [of('calls', worst), `${worst.label}: calls of ${name}`],
          [of('gpu', worst), `${worst.label}: one takes of the GPU on average`],
          [of('cpu', worst), `${worst.label}: one takes of the CPU on average`],
          [of('all', worst), `${worst.label}: all take of the GPU`],
          ...(typeof experts === 'string'
            ? [
                [of('expertCalls', worst), `${worst.label}: calls of “${experts}”`] as const,
                [of('perExpertCall', worst), `${worst.label}: calls of ${name} for each of them`] as const,
              ]
            : []),
        ],
        gainAtMostNs: number(of('all', worst)),
        advice:
          'If they are experts of a mixture, sort tokens by expert and multiply them in one grouped product (torch._grouped_mm, MegaBlocks). Otherwise stack equal shapes for torch.bmm, or launch them as one CUDA graph (torch.compile(mode="reduce-overhead")).',
        link: 'https://docs.pytorch.org/docs/stable/generated/torch.bmm.html',
      };
    },
  });
}

function factsOf(table: PrintedTable): Record<string, Fact> {
  const tables = productRows(table);
  return {
    calls: count(`${tables} SELECT n FROM worst`),
    gpu: ns(`${tables} SELECT gpu FROM worst`),
    cpu: ns(`${tables} SELECT cpu FROM worst`),
    all: ns(`${tables} SELECT gpu_total FROM worst`),
    name: text(`${tables} SELECT name FROM worst`),
    expertName: text(`${tables} SELECT name FROM experts`),
    expertCalls: count(`${tables} SELECT n FROM experts`),
    perExpertCall: ratio(`${tables} SELECT worst.n / experts.n FROM worst, experts`),
  };
}
