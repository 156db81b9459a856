import {say} from '../../base/say.js';
import {formatDuration} from '../../format/duration.js';
import {defineRule, ns, percent, type Fact} from '../rules/rule.js';
import {allKernels, kernelRows, pairedTables, type RunTables} from './kernel-rows.js';
import {factName, type PrintedRule} from './printed-rule.js';
import {rowsOf} from './printed-tables.js';

const about = {
  id: 'printed/copies-beside-kernels',
  looksFor: 'Printed kernel shares that leave out the copies of the same run.',
  silentBelow:
    'If copies take less than 3 % of the time of all kernels, or if not all kernels are printed. From 10 %: medium.',
};
const leastPercent = 3;

/** Reports that shares such as "88 % of the GPU's time" cover only kernels. */
export const copiesBesideKernels: PrintedRule = {
  ...about,
  ruleFor(tables) {
    const runs = pairedTables(tables, ['cuda_gpu_mem_time_sum']);
    return runs.length === 0 ? null : ruleOf(runs);
  },
};

function ruleOf(runs: readonly RunTables[]) {
  const facts: Record<string, Fact> = Object.fromEntries(
    runs.flatMap(run => Object.entries(factsOf(run)).map(([name, fact]) => [factName(name, run.kernels), fact])),
  );
  return defineRule({
    ...about,
    doubtsFigures: true,
    facts,
    conclude(number) {
      const of = (name: string, {kernels}: RunTables) => factName(name, kernels);
      const share = (run: RunTables) => number(of('share', run));
      const found = runs.filter(run => share(run) >= leastPercent).sort((a, b) => share(b) - share(a));
      const worst = found.at(0);
      if (!worst) return null;
      return {
        severity: share(worst) >= 10 ? 'medium' : 'low',
        title: say(
          'Shares of kernels leave out copies, which take {0} % of the kernels’ time: {1}.',
          String(share(worst)),
          formatDuration(number(of('copies', worst))),
        ),
        evidence: found.flatMap((run): (readonly [string, string])[] => [
          [of('share', run), say('{0}: copies as a share of all kernels’ time', run.label)],
          [of('copies', run), say('{0}: time of copies', run.label)],
          [of('kernels', run), say('{0}: time of all kernels', run.label)],
          [of('products', run), say('{0}: matrix products as a share of all kernels’ time', run.label)],
          [of('ofAll', run), say('{0}: matrix products as a share of kernels and copies together', run.label)],
        ]),
        gainAtMostNs: null,
        advice: say(
          'State what each share is a share of. If the copies belong to the set-up (weights and batches sent to the GPU), exclude them from the step: filter by the step’s range, or capture only the step. nsys stats -r cuda_gpu_sum lists kernels and copies in one table.',
        ),
        link: 'https://docs.nvidia.com/nsight-systems/UserGuide/index.html',
      };
    },
  });
}

function factsOf({other, kernels}: RunTables): Record<string, Fact> {
  const tables = `WITH kernels AS (${kernelRows(kernels)}), moved AS (${rowsOf(other, {total: 'Total Time'})}), copies AS (SELECT sum(total) AS total FROM moved WHERE name LIKE '%memcpy%'), products AS (SELECT coalesce(sum(total), 0) AS total FROM kernels WHERE class = 'matrix product')`;
  return {
    share: percent(`${tables} SELECT round(100.0 * total / (${allKernels}), 1) FROM copies`),
    copies: ns(`${tables} SELECT CAST(total AS INTEGER) FROM copies`),
    kernels: ns(`${tables} ${allKernels}`),
    products: percent(`${tables} SELECT round(100.0 * total / (${allKernels}), 2) FROM products`),
    ofAll: percent(
      `${tables} SELECT round(100.0 * products.total / ((${allKernels}) + copies.total), 2) FROM products, copies`,
    ),
  };
}
