import {say} from '../../base/say.js';
import {formatCount} from '../../format/count.js';
import {count, ns, percent, text} from '../rules/rule.js';
import {rangeReports, rangeTables} from './nvtx-rows.js';
import {tableRule, type AskedTable} from './table-rule.js';

/** Finds instances from several passes over one step. */
export const severalPasses = tableRule({
  id: 'printed/several-passes',
  looksFor: 'Printed ranges of several passes beside a step that ran once: their ratio is not a share of the step.',
  silentBelow:
    'If the range counts have no common divisor above 1, or if no range that ran once contains the others. High from a ratio of 100 %.',
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
      title: say(
        '“{0}” was summed over {1} passes, and “{2}” ran once: {3} % is not a share of that step.',
        String(worst.text('range')),
        formatCount(worst.number('passes')),
        String(worst.text('stepName')),
        String(share),
      ),
      evidence: found.flatMap(evidenceOf),
      gainAtMostNs: null,
      advice: say(
        'Divide the instances of one pass by that pass: filter the report by the step’s range (nsys stats --filter-nvtx=STEP), or start the capture after the warm-up (--capture-range=cudaProfilerApi with torch.cuda.profiler.start()). The medians give a first estimate.',
      ),
      link: 'https://docs.nvidia.com/nsight-systems/UserGuide/index.html',
    };
  },
});

function evidenceOf(table: AskedTable): (readonly [string, string])[] {
  const [range, step] = [String(table.text('range')), String(table.text('stepName'))];
  return [
    table.says('share', say('CPU time of all instances of “{0}” over “{1}”', range, step)),
    table.says('total', say('CPU time of all instances of “{0}”', range)),
    table.says('instances', say('instances of “{0}”', range)),
    table.says('passes', say('passes: all counts are multiples of this number')),
    table.says('others', say('passes besides that of the step, such as warm-up')),
    table.says('step', say('CPU time of “{0}”, which ran once', step)),
    table.says('median', say('one pass’s instances at their median over “{0}”, CPU time still', step)),
  ];
}
