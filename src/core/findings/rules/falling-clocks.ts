import {say} from '../../base/say.js';
import {mainDevice} from './idle-sql.js';
import {count, defineRule, percent, text} from './rule.js';

/** Samples of a GPU core clock while its operations run, in three parts of equal number. */
const clocks = `WITH marks AS (
  SELECT start_ns AS at_ns, 1 AS change, NULL AS value, NULL AS counter_id FROM gpu_operations WHERE device IS ${mainDevice}
  UNION ALL SELECT end_ns, -1, NULL, NULL FROM gpu_operations WHERE device IS ${mainDevice}
  UNION ALL SELECT at_ns, 0, value, counter_id FROM counters
    WHERE unit = 'hertz' AND name LIKE '%clock%' AND name NOT LIKE '%mem%' AND (device IS NULL OR device IS ${mainDevice})
), sampled AS (
  SELECT at_ns, value, counter_id, sum(change) OVER (ORDER BY at_ns, change DESC ROWS UNBOUNDED PRECEDING) AS running FROM marks
), parts AS (
  SELECT counter_id, at_ns, value, ntile(3) OVER (PARTITION BY counter_id ORDER BY at_ns) AS part FROM sampled
  WHERE counter_id IS NOT NULL AND running > 0
), falls AS (
  SELECT counter_id, count(*) AS samples, avg(value) FILTER (WHERE part = 1) AS first_hz, avg(value) FILTER (WHERE part = 3) AS last_hz,
    min(at_ns) FILTER (WHERE part = 3) AS start_ns
  FROM parts GROUP BY counter_id HAVING count(*) >= 6
), worst AS (SELECT * FROM falls ORDER BY last_hz / first_hz, counter_id LIMIT 1)`;
const leastPercent = 5;

/** Finds a GPU that slows down during the measurement. */
export const fallingClocks = defineRule({
  id: 'doubt/falling-clocks',
  looksFor: 'The GPU’s core clock falls while operations run, so later steps are slower than earlier ones.',
  silentBelow:
    'Below six samples while operations run, or if the mean of the last third is less than 5 % below the mean of the first third. From 15 %: medium.',
  doubtsFigures: true,
  facts: {
    fell: percent(`${clocks} SELECT round(100 * (1 - last_hz / first_hz), 1) FROM worst`),
    first: count(`${clocks} SELECT CAST(round(first_hz / 1e6) AS INTEGER) FROM worst`),
    last: count(`${clocks} SELECT CAST(round(last_hz / 1e6) AS INTEGER) FROM worst`),
    samples: count(`${clocks} SELECT samples FROM worst`),
    start: text(`${clocks} SELECT start_ns FROM worst`),
  },
  conclude(number, text) {
    if (number('fell') < leastPercent) return null;
    return {
      severity: number('fell') < 3 * leastPercent ? 'low' : 'medium',
      title: say(
        'The GPU’s clock falls during the measurement: from {0} to {1} MHz.',
        String(number('first')),
        String(number('last')),
      ),
      evidence: [
        ['fell', say('Drop from the first to the last third of the samples')],
        ['first', say('Mean of the first third, MHz')],
        ['last', say('Mean of the last third, MHz')],
        ['samples', say('Samples while operations run')],
      ],
      gainAtMostNs: null,
      advice: say(
        'Heat or the power limit slows the GPU down. Warm it up before you measure, alternate the runs that you compare, and lock the clock for benchmarks: nvidia-smi --lock-gpu-clocks=1200. nvidia-smi -q -d PERFORMANCE shows the reason.',
      ),
      link: 'https://docs.nvidia.com/deploy/nvidia-smi/index.html',
      startNs: text('start'),
    };
  },
});
