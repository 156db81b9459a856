import {formatCount} from '../../format/count.js';
import {count, ns, percent, text} from '../rules/rule.js';
import {rangeReports, rangeTables} from './nvtx-rows.js';
import {tableRule, type AskedTable} from './table-rule.js';

/** Instances of several passes over one step. */
export const severalPasses = tableRule({
  id: 'printed/several-passes',
  looksFor: 'Printed ranges of several passes beside a step that ran once: their quotient is no share of the step.',
  silentBelow:
    'Where counts of ranges have no common divisor from 2 on, or no range that ran once holds the others. High from a quotient of 100 %.',
  doubtsFigures: true,
  reports: rangeReports,
  factsOf(table) {
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
  },
  weight: table => table.number('share'),
  conclude(worst, found) {
    const share = worst.number('share');
    return {
      severity: share >= 100 ? 'high' : 'medium',
      title: `“${String(worst.text('range'))}” was summed over ${formatCount(worst.number('passes'))} passes, and “${String(worst.text('stepName'))}” ran once: ${String(share)} % is no share of that step.`,
      evidence: found.flatMap(evidenceOf),
      gainAtMostNs: null,
      advice:
        'Divide instances of one pass by that pass: filter the report by the step’s range (nsys stats --filter-nvtx=STEP), or start the capture behind the warm-up (--capture-range=cudaProfilerApi with torch.cuda.profiler.start()). The medians give a first idea.',
      link: 'https://docs.nvidia.com/nsight-systems/UserGuide/index.html',
    };
  },
});

function evidenceOf(table: AskedTable): (readonly [string, string])[] {
  const [range, step] = [String(table.text('range')), String(table.text('stepName'))];
  return [
    table.says('share', `CPU time of all instances of “${range}” over “${step}”`),
    table.says('total', `CPU time of all instances of “${range}”`),
    table.says('instances', `instances of “${range}”`),
    table.says('passes', 'passes that they are of: all counts are multiples of it'),
    table.says('others', 'of these, passes beside the one of the step, such as warm-up'),
    table.says('step', `CPU time of “${step}”, which ran once`),
    table.says('median', `the instances of one pass at their median over “${step}”, CPU time still`),
  ];
}
