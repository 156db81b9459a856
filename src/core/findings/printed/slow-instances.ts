import {say} from '../../base/say.js';
import {formatDuration} from '../../format/duration.js';
import {count, ns, ratio, text} from '../rules/rule.js';
import {rangeReports, rangeTables} from './nvtx-rows.js';
import type {PrintedTable} from './printed-tables.js';
import {tableRule, type AskedTable} from './table-rule.js';

/** Ranges with an instance that is an outlier. */
const slow = (table: PrintedTable): string =>
  `${rangeTables(table)}, slow AS (SELECT name, total, n, median, longest FROM ranges WHERE n >= 4 AND longest >= 10 * median AND longest - median >= 0.03 * total), worst AS (SELECT * FROM slow ORDER BY total - n * median DESC, name LIMIT 1)`;

const excess = (table: AskedTable): number => table.number('longest') - table.number('median');

/** Finds totals that include warm-up. */
export const slowInstances = tableRule({
  id: 'printed/slow-instances',
  looksFor: 'Printed totals of ranges whose longest instance takes ten times the median: the total includes warm-up.',
  silentBelow:
    'Below four instances, a factor of ten, or an instance of 3 % of the range’s total. From a third of the total: medium.',
  doubtsFigures: true,
  reports: rangeReports,
  factsOf(table) {
    const tables = slow(table);
    return {
      ranges: count(`${tables} SELECT count(*) FROM slow`),
      factor: ratio(`${tables} SELECT round(longest / median, 1) FROM worst`),
      longest: ns(`${tables} SELECT longest FROM worst`),
      median: ns(`${tables} SELECT median FROM worst`),
      total: ns(`${tables} SELECT total FROM worst`),
      range: text(`${tables} SELECT name FROM worst`),
    };
  },
  weight: excess,
  conclude(worst, found) {
    return {
      severity: excess(worst) >= worst.number('total') / 3 ? 'medium' : 'low',
      title: say(
        'One instance of “{0}” takes {1}, {2} times the median: totals and averages include warm-up.',
        String(worst.text('range')),
        formatDuration(worst.number('longest')),
        String(worst.number('factor')),
      ),
      evidence: found.flatMap(table => [
        table.says('factor', say('the longest instance of “{0}” over the median', String(table.text('range')))),
        table.says('longest', say('the longest instance')),
        table.says('median', say('the median')),
        table.says('total', say('all instances')),
        table.says('ranges', say('ranges with such an instance')),
      ]),
      gainAtMostNs: null,
      advice: say(
        'Compare medians, or skip the first steps: torch.profiler.schedule(wait=1, warmup=3, active=3), or --capture-range=cudaProfilerApi and torch.cuda.profiler.start() after the warm-up.',
      ),
      link: 'https://docs.pytorch.org/tutorials/recipes/recipes/profiler_recipe.html',
    };
  },
});
