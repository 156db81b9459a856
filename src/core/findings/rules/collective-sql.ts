import {gpuSpan, mainDevice} from './idle-sql.js';
import {ns} from './rule.js';

/** Calls of several ranks with a known size, on the main GPU. */
const sized = `sized AS (SELECT * FROM collectives WHERE bytes > 0 AND ranks > 1 AND kernels > 0 AND device IS ${mainDevice})`;
/** Smaller messages are limited by latency, whatever the bandwidth. */
const smallBytes = 1_048_576;

/** `small`: calls of less than 1 MiB. */
export const smallCalls = `WITH ${sized}, small AS (SELECT * FROM sized WHERE bytes < ${String(smallBytes)})`;

/**
 * `slow`: operations of one size in one group, at least three calls, of which the fastest reaches less than a quarter
 * of the link's bandwidth. The fastest counts because other calls may also wait for late ranks.
 */
export const slowCalls = `WITH ${sized}, alike AS (
  SELECT operation, process_group, ranks, bytes, count(*) AS calls, min(busy_ns) AS best_ns, max(bus_bytes_per_second) AS bus, max(link_bytes_per_second) AS link,
    sum(exposed_ns) AS exposed_ns, min(start_ns) AS start_ns
  FROM sized WHERE bytes >= ${String(smallBytes)} GROUP BY operation, process_group, ranks, bytes
), slow AS (SELECT *, calls * best_ns AS ns, calls * best_ns * (1 - bus / link) AS gain_ns FROM alike WHERE calls >= 3 AND bus < 0.25 * link
), worst AS (SELECT * FROM slow ORDER BY ns DESC, bytes LIMIT 1)`;

/** Facts that show whether exposed communication has a separate cause. */
export const collectiveCauses = {
  smallExposed: ns(`${smallCalls} SELECT CAST(coalesce(sum(exposed_ns), 0) AS INTEGER) FROM small`),
  slowExposed: ns(`${slowCalls} SELECT CAST(coalesce(sum(exposed_ns), 0) AS INTEGER) FROM slow`),
  span: ns(gpuSpan),
};
