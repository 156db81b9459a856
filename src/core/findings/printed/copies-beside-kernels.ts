import {say} from '../../base/say.js';
import {formatDuration} from '../../format/duration.js';
import {defineRule, ns, percent, type Fact} from '../rules/rule.js';
import {allKernels, kernelRows, pairedTables, type RunTables} from './kernel-rows.js';
import {factName, type PrintedRule} from './printed-rule.js';
import {rowsOf} from './printed-tables.js';

const about = {
  id: 'printed/copies-beside-kernels',
  looksFor: 'Printed shares of kernels that leave out copies of the same run.',
  silentBelow:
    'Where copies take less than 3 % of the time of all kernels, or kernels are printed in part. From 10 %: medium.',
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
          [of('share', run), say('{0}: copies, of the time of all kernels', run.label)],
          [of('copies', run), say('{0}: time of copies', run.label)],
          [of('kernels', run), say('{0}: time of all kernels', run.label)],
          [of('products', run), say('{0}: matrix products, of the time of all kernels', run.label)],
          [of('ofAll', run), say('{0}: matrix products, of kernels and copies together', run.label)],
        ]),
        gainAtMostNs: null,
        advice: say(
          'Say what a share is of. If the copies are of the set-up (weights and batches on their way to the GPU), leave them out of the step: filter by the step’s range, or capture it alone. nsys stats -r cuda_gpu_sum has kernels and copies in one table.',
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
