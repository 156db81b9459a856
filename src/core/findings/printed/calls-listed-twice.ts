import {plural} from '../../format/count.js';
import {formatDuration} from '../../format/duration.js';
import {count, ns, percent} from '../rules/rule.js';
import {rowsOf, type PrintedTable} from './printed-tables.js';
import {tableRule} from './table-rule.js';

/** Rows that have a twin before them. */
const twins = (table: PrintedTable): string =>
  `WITH calls AS (${rowsOf(table, {total: 'Total Time', n: 'Num Calls'})}), twins AS (SELECT b.total AS total, b.n AS n FROM calls AS a JOIN calls AS b ON a.name = b.name AND a.n = b.n AND a."row" < b."row" AND abs(a.total - b.total) <= 0.1 * max(a.total, b.total))`;

/** Calls counted by two APIs. */
export const callsListedTwice = tableRule({
  id: 'printed/calls-listed-twice',
  looksFor:
    'Two rows of a printed summary of API calls with the same name and count, and nearly the same time: calls that two APIs recorded.',
  silentBelow: 'Where their times differ by more than a tenth, or all such rows take less than 1 % of the table.',
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
      title: `API calls are listed twice: ${plural(worst.number('rows'), 'row')} of ${worst.label} repeat another, so that ${formatDuration(worst.number('time'))} counts double.`,
      evidence: found.flatMap(table => [
        table.says('time', 'time that counts double'),
        table.says('share', 'its share of the table’s time'),
        table.says('calls', 'calls that count double'),
        table.says('rows', 'rows that repeat another'),
      ]),
      gainAtMostNs: null,
      advice:
        'Count one row of each pair: the runtime’s API and a wrapper around it (or two copies of CUPTI) both recorded the call. The percentages of all other rows are too small by this share.',
      link: 'https://docs.nvidia.com/nsight-systems/UserGuide/index.html',
    };
  },
});
