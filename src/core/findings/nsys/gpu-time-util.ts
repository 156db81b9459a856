import {say, template} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {formatDuration} from '../../format/duration.js';
import {percent} from '../rules/rule.js';
import {nsysRule} from './nsys-rule.js';

/** nsys: `--threshold=50 --chunks=30`. Overlapping operations count twice, as in nsys. */
const chunks = 30;
const leastPercent = 50;

const tables = `spans AS (
  SELECT pid, device, min(start_ns) AS from_ns, max(end_ns) AS to_ns, (max(end_ns) - min(start_ns) + ${String(chunks - 1)}) / ${String(chunks)} AS chunk_ns
  FROM gpu_operations GROUP BY pid, device
), numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${String(chunks - 1)}
), chunks AS (
  SELECT pid, device, from_ns + n * chunk_ns AS from_ns, min(from_ns + (n + 1) * chunk_ns, to_ns) AS to_ns
  FROM spans, numbers WHERE from_ns + n * chunk_ns < to_ns
), used AS (
  SELECT c.from_ns, c.to_ns, (SELECT coalesce(sum(min(o.end_ns, c.to_ns) - max(o.start_ns, c.from_ns)), 0) FROM gpu_operations AS o
    WHERE o.device IS c.device AND o.pid IS c.pid AND o.start_ns < c.to_ns AND o.end_ns > c.from_ns) AS used_ns
  FROM chunks AS c
)`;

/** @see nsys’s rules/gpu_time_util.py (gpu-low-util.py before 2023) */
export const gpuTimeUtil = nsysRule({
  name: 'gpu_time_util',
  looksFor:
    'The time from the first to the last operation of a process on a GPU is divided into 30 equal parts: those with low GPU use.',
  silentBelow: 'For parts that are busy for 50 % or more.',
  tables,
  rows: `SELECT to_ns - from_ns AS ns, from_ns AS start_ns, used_ns FROM used WHERE 100 * used_ns < ${String(leastPercent)} * (to_ns - from_ns)`,
  says: template('Parts (of 30 per GPU) that are busy for less than 50 %'),
  title: (rows, timeNs) =>
    say(
      'The GPU is used for less than half of {0} of its time, {1}.',
      counted(rows, '{0} part', '{0} parts'),
      formatDuration(timeNs),
    ),
  advice: template(
    'Look at what the CPU does there: record with --sample=process-tree and --trace=osrt, and put ranges around the parts of your loop: with torch.cuda.nvtx.range("load"): …',
  ),
  more: {
    used: [percent('SELECT round(100.0 * sum(used_ns) / sum(ns), 1) FROM listed'), template('GPU time in these parts')],
  },
});
