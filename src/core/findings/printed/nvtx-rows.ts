import {rowsOf, type PrintedTable} from './printed-tables.js';

/** Reports that time ranges on the CPU. */
export const rangeReports = ['nvtx_sum', 'nvtx_pushpop_sum', 'nvtx_startend_sum'] as const;

/**
 * SQL about a printed summary of ranges. `ranges` are its rows; `inner` is the largest that ran several times; `passes`
 * is how often all of those ran at least; `step` is the range that ran once and contains the others that did.
 *
 * Names are not used. `passes` has no row unless all counts above one are multiples of the least. A step is as long as
 * the ranges that ran once inside it together, within a tenth. If only two ran once and neither contains others, the
 * step is the shorter one.
 */
export const rangeTables = (table: PrintedTable): string => `WITH ranges AS (
  ${rowsOf(table, {total: 'Total Time', n: 'Instances', median: 'Med', longest: 'Max'})}
), once AS (SELECT name, total FROM ranges WHERE n = 1
), holding AS (
  SELECT name, total FROM once AS o
  WHERE (SELECT sum(total) FROM once AS i WHERE i.total < o.total) BETWEEN 0.9 * o.total AND o.total ORDER BY total DESC LIMIT 1
), step AS (
  SELECT name, total FROM holding
  UNION ALL SELECT name, min(total) FROM once WHERE NOT EXISTS (SELECT 1 FROM holding) GROUP BY NULL HAVING count(*) <= 2
), passes AS (
  SELECT min(n) AS n FROM ranges WHERE n > 1 HAVING sum(n % (SELECT min(n) FROM ranges WHERE n > 1)) = 0
), largest AS (SELECT name, total, n, median FROM ranges WHERE n > 1 ORDER BY total DESC, name LIMIT 1)`;
