import {say, template} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {formatDuration} from '../../format/duration.js';
import {nsysRule} from './nsys-rule.js';

/** nsys: `--gap=500`, ms. */
const leastGapNs = 500_000_000;

/** @see nsys’s rules/gpu_gaps.py (gpu-starv.py before 2023): between operations of one process on one GPU */
export const gpuGaps = nsysRule({
  name: 'gpu_gaps',
  looksFor: 'Gaps between operations of a process on a GPU.',
  silentBelow: 'For gaps of up to 500 ms.',
  rows: `SELECT ns, start_ns FROM (
    SELECT start_ns - max(end_ns) OVER times AS ns, max(end_ns) OVER times AS start_ns FROM gpu_operations
    WINDOW times AS (PARTITION BY pid, device ORDER BY start_ns, end_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
  ) WHERE ns > ${String(leastGapNs)}`,
  says: template('Gaps of more than 500 ms'),
  title: (rows, timeNs) =>
    say(
      'The GPU is idle for more than 500 ms at a time: {0}, {1}.',
      counted(rows, '{0} gap', '{0} gaps'),
      formatDuration(timeNs),
    ),
  advice: template(
    'Look at what the CPU does in the gap: record with --sample=process-tree and --trace=osrt, and put ranges around the parts of your loop: with torch.cuda.nvtx.range("load"): …',
  ),
});
