import {say} from '../../base/say.js';
import {defineRule, ns, percent, text, type Fact} from '../rules/rule.js';
import {allKernels, kernelRows, pairedTables, type RunTables} from './kernel-rows.js';
import {rangeReports, rangeTables} from './nvtx-rows.js';
import {factName, type PrintedRule} from './printed-rule.js';

const about = {
  id: 'printed/host-time',
  looksFor:
    'Printed ranges, which are timed on the CPU, beside the kernels of the same run: a range’s share is not its share of the GPU.',
  silentBelow:
    'If no range that ran several times takes 10 % of the time of all kernels, or if not all kernels are printed.',
};
const leastPercent = 10;

/** Compares host durations with the GPU's time. */
export const hostTime: PrintedRule = {
  ...about,
  ruleFor(tables) {
    const runs = pairedTables(tables, rangeReports);
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
    conclude(number, fact) {
      const of = (name: string, {kernels}: RunTables) => factName(name, kernels);
      const found = runs.filter(run => number(of('host', run)) >= leastPercent && number(of('kernels', run)) > 0);
      const first = found.at(0);
      if (!first) return null;
      const name = String(fact(of('range', first)));
      return {
        severity: 'medium',
        title: say(
          'Ranges are timed on the CPU: “{0}” takes {1} % of the kernels’ time there, which says nothing of its part of the GPU; matrix products take {2} % of it.',
          name,
          String(number(of('host', first))),
          String(number(of('products', first))),
        ),
        evidence: found.flatMap((run): (readonly [string, string])[] => [
          [
            of('host', run),
            say('{0}: CPU time of “{1}” over the time of all kernels', run.label, String(fact(of('range', run)))),
          ],
          [of('products', run), say('{0}: matrix products as a share of all kernels’ time', run.label)],
          [of('kernels', run), say('{0}: time of all kernels', run.label)],
          [of('total', run), say('{0}: CPU time of all instances of “{1}”', run.label, String(fact(of('range', run))))],
        ]),
        gainAtMostNs: null,
        advice: say(
          'A kernel can run after the range that launched it has ended, and a wait for the GPU counts for the range that happens to wait. Use the GPU work of ranges instead: nsys stats -r nvtx_gpu_proj_sum REPORT, or gpu-lens ranges REPORT.',
        ),
        link: 'https://docs.nvidia.com/nsight-systems/UserGuide/index.html',
      };
    },
  });
}

function factsOf({other, kernels}: RunTables): Record<string, Fact> {
  const ranges = rangeTables(other);
  return {
    host: percent(
      `${ranges}, kernels AS (${kernelRows(kernels)}) SELECT round(100.0 * total / (${allKernels}), 1) FROM largest`,
    ),
    products: percent(
      `WITH kernels AS (${kernelRows(kernels)}) SELECT round(100.0 * sum(CASE WHEN class = 'matrix product' THEN total ELSE 0 END) / (${allKernels}), 2) FROM kernels`,
    ),
    kernels: ns(`WITH kernels AS (${kernelRows(kernels)}) ${allKernels}`),
    total: ns(`${ranges} SELECT total FROM largest`),
    range: text(`${ranges} SELECT name FROM largest`),
  };
}
