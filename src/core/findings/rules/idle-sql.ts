import type {FactValue} from './rule.js';

/**
 * SQL about the idle time of a GPU. Each part of it has one cause, so the parts add up.
 *
 * The GPU is the one with the most work. Idle time is the time between its first and last operation that no operation
 * covers. Each instant belongs to the first of these that applies:
 *
 * 1. `loader`: a thread waits for the data loader.
 * 2. `allocation`: a thread allocates or frees GPU or pinned memory.
 * 3. `wait`: a thread was waiting for the GPU when the gap began, and the operation after the gap had not been
 *    launched: the launch could only come afterwards.
 * 4. The call that launched the operation after the gap had not returned when the gap began, so the CPU is late:
 *    `break` while a thread is in a compiled region that contains another, `python` while no thread is in an operator
 *    or a CUDA call (in profiles that have operators), else `launch`.
 * 5. `other`: the call had returned, and the operation waited for something other than the CPU.
 */
export const idleCauses = ['loader', 'allocation', 'wait', 'break', 'python', 'launch', 'other'] as const;
export type IdleCause = (typeof idleCauses)[number];

/** The GPU with the most work. */
export const mainDevice =
  '(SELECT device FROM gpu_operations GROUP BY device ORDER BY sum(duration_ns) DESC, device LIMIT 1)';

/** Names of calls that allocate or free memory and may wait for the GPU. */
export const isAllocation = `(name LIKE 'cudaMalloc%' OR name LIKE 'cudaFree%' OR name LIKE 'cudaHostAlloc%'
  OR name LIKE 'hipMalloc%' OR name LIKE 'hipFree%' OR name LIKE 'hipHostMalloc%' OR name LIKE 'cuMem%Alloc%' OR name LIKE 'cuMemFree%')
  AND name NOT LIKE '%Async%'`;

/** Names of calls that return when the GPU has finished its work. */
export const isWait =
  "(name LIKE '%Synchronize%' OR name LIKE 'cudaMemcpy%' OR name LIKE 'hipMemcpy%' OR name LIKE 'cuMemcpy%')";

/** Ranges in which a thread waits for the next batch. */
export const isLoader = "name LIKE 'enumerate(DataLoader)%'";

/** Regions that torch.compile made. Kineto also projects them onto the GPU. */
const isRegion =
  "kind IN ('user_annotation', 'cpu_op', 'nvtx_pushpop', 'nvtx_startend') AND name LIKE '%Torch-Compiled Region%'";

/** Compiled regions, and whether another begins inside each on its thread. */
export const compiledRegions = `regions AS (
  SELECT track_id, start_ns, end_ns, coalesce(lead(start_ns) OVER (PARTITION BY track_id ORDER BY start_ns, end_ns DESC) < end_ns, 0) AS is_broken
  FROM slices WHERE ${isRegion}
)`;

/**
 * The common table expressions for the sums below: `gaps` and `idle`, each instant with its cause. Names of calls are
 * looked up once, because each condition on a view's name would look them up again.
 */
export const idleTables = `WITH operations AS (
  SELECT start_ns, end_ns, launch_end_ns FROM gpu_operations WHERE device IS ${mainDevice}
), gaps AS (
  SELECT from_ns, start_ns AS to_ns, coalesce(launch_end_ns > from_ns, 0) AS is_late, coalesce(launch_end_ns <= from_ns, 0) AS is_queued
  FROM (SELECT start_ns, launch_end_ns,
          max(end_ns) OVER (ORDER BY start_ns, end_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS from_ns
        FROM operations)
  WHERE start_ns > from_ns
), named AS MATERIALIZED (
  SELECT start_ns, end_ns, name FROM api_calls
), calls AS MATERIALIZED (
  SELECT start_ns, end_ns, ${isWait} AS is_wait, ${isAllocation} AS is_allocation FROM named
), loaders AS MATERIALIZED (
  SELECT start_ns, end_ns FROM slices WHERE ${isLoader}
), waits AS (
  SELECT from_ns, to_ns, is_late, sum(change) OVER (ORDER BY at_ns, sort) > 0 AND NOT is_queued AS is_waiting, to_ns IS NOT NULL AS is_gap
  FROM (SELECT start_ns AS at_ns, 0 AS sort, 1 AS change, NULL AS from_ns, NULL AS to_ns, NULL AS is_late, NULL AS is_queued FROM calls WHERE is_wait
        UNION ALL SELECT end_ns, 2, -1, NULL, NULL, NULL, NULL FROM calls WHERE is_wait
        UNION ALL SELECT from_ns, 1, 0, from_ns, to_ns, is_late, is_queued FROM gaps)
), ${compiledRegions}, called AS (
  SELECT start_ns, coalesce(max(end_ns) OVER (ORDER BY start_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before_ns
  FROM slices WHERE kind IN ('cpu_op', 'cuda_runtime', 'cuda_driver') AND EXISTS (SELECT 1 FROM slices WHERE kind = 'cpu_op')
), marks AS (
  SELECT from_ns AS at_ns, 1 AS gap, is_waiting AS wait, is_late AS late, 0 AS loader, 0 AS allocation, 0 AS broken, 0 AS python FROM waits WHERE is_gap
  UNION ALL SELECT to_ns, -1, -is_waiting, -is_late, 0, 0, 0, 0 FROM waits WHERE is_gap
  UNION ALL SELECT start_ns, 0, 0, 0, 1, 0, 0, 0 FROM loaders
  UNION ALL SELECT end_ns, 0, 0, 0, -1, 0, 0, 0 FROM loaders
  UNION ALL SELECT start_ns, 0, 0, 0, 0, 1, 0, 0 FROM calls WHERE is_allocation
  UNION ALL SELECT end_ns, 0, 0, 0, 0, -1, 0, 0 FROM calls WHERE is_allocation
  UNION ALL SELECT start_ns, 0, 0, 0, 0, 0, 1, 0 FROM regions WHERE is_broken
  UNION ALL SELECT end_ns, 0, 0, 0, 0, 0, -1, 0 FROM regions WHERE is_broken
  UNION ALL SELECT before_ns, 0, 0, 0, 0, 0, 0, 1 FROM called WHERE start_ns > before_ns
  UNION ALL SELECT start_ns, 0, 0, 0, 0, 0, 0, -1 FROM called WHERE start_ns > before_ns
), instants AS (
  SELECT at_ns, lead(at_ns) OVER times AS next_ns, sum(gap) OVER times AS gap, sum(wait) OVER times AS wait,
    sum(late) OVER times AS late, sum(loader) OVER times AS loader, sum(allocation) OVER times AS allocation,
    sum(broken) OVER times AS broken, sum(python) OVER times AS python
  FROM marks WINDOW times AS (ORDER BY at_ns ROWS UNBOUNDED PRECEDING)
), idle AS (
  SELECT at_ns, next_ns - at_ns AS idle_ns, CASE WHEN loader > 0 THEN 'loader' WHEN allocation > 0 THEN 'allocation'
    WHEN wait > 0 THEN 'wait' WHEN late > 0 AND broken > 0 THEN 'break' WHEN late > 0 AND python > 0 THEN 'python'
    WHEN late > 0 THEN 'launch' ELSE 'other' END AS cause
  FROM instants WHERE gap > 0 AND next_ns > at_ns
)`;

/** Returns the idle time of one cause, ns. */
export const idleOf = (cause: IdleCause): string =>
  `${idleTables} SELECT coalesce(sum(idle_ns), 0) FROM idle WHERE cause = '${cause}'`;

/** A launch takes some 10 µs. In an idle period of this length, the CPU does something else. */
const longIdleNs = 1_000_000;

/** Returns the idle time of one cause in long periods, ns. */
export const longIdleOf = (cause: IdleCause): string =>
  `${idleTables} SELECT coalesce(sum(idle_ns), 0) FROM idle WHERE cause = '${cause}' AND idle_ns >= ${String(longIdleNs)}`;

/** Returns the number of these long periods. */
export const longIdleCount = (cause: IdleCause): string =>
  `${idleTables} SELECT count(*) FROM idle WHERE cause = '${cause}' AND idle_ns >= ${String(longIdleNs)}`;

/** Returns when the longest period of that cause begins, ns. */
export const longestIdleStart = (cause: IdleCause): string =>
  `${idleTables} SELECT at_ns FROM idle WHERE cause = '${cause}' ORDER BY idle_ns DESC, at_ns LIMIT 1`;

/**
 * One cell of JSON with the results of the four queries above for every cause: each of them alone would find all gaps
 * again.
 */
export const idleSummary = `${idleTables}, ranked AS (SELECT *, max(idle_ns) OVER (PARTITION BY cause) AS longest_ns FROM idle
), summed AS (
  SELECT cause, sum(idle_ns) AS ns, coalesce(sum(idle_ns) FILTER (WHERE idle_ns >= ${String(longIdleNs)}), 0) AS long_ns,
    count(*) FILTER (WHERE idle_ns >= ${String(longIdleNs)}) AS long_count, min(at_ns) FILTER (WHERE idle_ns = longest_ns) AS start_ns
  FROM ranked GROUP BY cause
) SELECT json_group_object(cause, json_array(ns, long_ns, long_count, start_ns)) FROM summed`;

/** Returns query → answer, from the answer of `idleSummary`. */
export function idleAnswers(summary: FactValue): Map<string, FactValue> {
  const byCause = JSON.parse(String(summary ?? '{}')) as Partial<Record<IdleCause, FactValue[]>>;
  return new Map(
    idleCauses.flatMap(cause => {
      const [ns = 0, longNs = 0, longCount = 0, startNs = null] = byCause[cause] ?? [];
      return [
        [idleOf(cause), ns],
        [longIdleOf(cause), longNs],
        [longIdleCount(cause), longCount],
        [longestIdleStart(cause), startNs],
      ];
    }),
  );
}

/** First to last operation of the GPU, ns. */
export const gpuSpan = `SELECT coalesce(max(end_ns) - min(start_ns), 0) FROM gpu_operations WHERE device IS ${mainDevice}`;

/** Sum of all operations, ns. */
export const gpuWork = 'SELECT coalesce(sum(duration_ns), 0) FROM gpu_operations';
