import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {formatDuration} from '../../format/duration.js';
import {count, ns, percent} from '../rules/rule.js';
import {rowsOf, type PrintedTable} from './printed-tables.js';
import {tableRule} from './table-rule.js';

/** Rows with an identical row before them. */
const twins = (table: PrintedTable): string =>
  `WITH calls AS (${rowsOf(table, {total: 'Total Time', n: 'Num Calls'})}), twins AS (SELECT b.total AS total, b.n AS n FROM calls AS a JOIN calls AS b ON a.name = b.name AND a.n = b.n AND a."row" < b."row" AND abs(a.total - b.total) <= 0.1 * max(a.total, b.total))`;

/** Finds calls counted by two APIs. */
export const callsListedTwice = tableRule({
  id: 'printed/calls-listed-twice',
  looksFor:
    'Two rows of a printed API summary with the same name, the same count and nearly the same time: two APIs recorded the same calls.',
  silentBelow:
    'If their times differ by more than a tenth, or if all such rows together take less than 1 % of the table.',
  doubtsFigures: true,
  reports: ['cuda_api_sum'],
  factsOf(table) {
    const tables = twins(table);
    return {
      rows: count(`${tables} SELECT count(*) FROM twins`),
      time: ns(`${tables} SELECT CAST(coalesce(sum(total), 0) AS INTEGER) FROM twins`),
      calls: count(`${tables} SELECT coalesce(sum(n), 0) FROM twins`),
      share: percent(`${tables} SELECT round(100.0 * sum(total) / (SELECT sum(total) FROM calls), 1) FROM twins`),
    };
  },
  weight: table => (table.number('share') >= 1 ? table.number('time') : 0),
  conclude(worst, found) {
    return {
      severity: 'medium',
      title: say(
        'API calls are listed twice: {0} of {1} repeat another, so that {2} counts double.',
        counted(worst.number('rows'), '{0} row', '{0} rows'),
        worst.label,
        formatDuration(worst.number('time')),
      ),
      evidence: found.flatMap(table => [
        table.says('time', say('time counted twice')),
        table.says('share', say('its share of the table’s time')),
        table.says('calls', say('calls counted twice')),
        table.says('rows', say('rows that repeat another')),
      ]),
      gainAtMostNs: null,
      advice: say(
        'Count one row of each pair: the runtime’s API and a wrapper around it (or two copies of CUPTI) both recorded the call. The percentages of all other rows are too small by this share.',
      ),
      link: 'https://docs.nvidia.com/nsight-systems/UserGuide/index.html',
    };
  },
});
