import {say} from '../../base/say.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {gpuSpan, mainDevice} from './idle-sql.js';
import {count, defineRule, ns, text} from './rule.js';
import {severityOf, silentShare} from './severity.js';

/** CUPTI also lists things that CUDA does without a profiler: loading, compiling, and waiting for room in the queue. */
const isOverhead = `kind = 'overhead' AND name NOT LIKE '%Module Loading%' AND name NOT LIKE '%Lazy%' AND name NOT LIKE '%Command Buffer Full%'
  AND name NOT LIKE '%compil%' AND name NOT LIKE '%dlopen%'`;

/** The overhead during the GPU’s time, without overlaps. */
const parts = `WITH whole AS (SELECT min(start_ns) AS from_ns, max(end_ns) AS to_ns FROM gpu_operations WHERE device IS ${mainDevice}
), inside AS (
  SELECT name, max(start_ns, from_ns) AS start_ns, min(end_ns, to_ns) AS end_ns FROM slices, whole
  WHERE ${isOverhead} AND end_ns > from_ns AND start_ns < to_ns
), cut AS (
  SELECT start_ns, end_ns, coalesce(max(end_ns) OVER (ORDER BY start_ns, end_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before_ns FROM inside
)`;

/** Finds a profiler that changes what it measures. */
export const profilerOverhead = defineRule({
  id: 'doubt/profiler-overhead',
  looksFor: 'Time the profiler spends on its own work, such as flushing its buffers, while it records the GPU’s work.',
  silentBelow: `${silentShare} Work that CUDA also does without a profiler (loading modules, compiling) does not count.`,
  doubtsFigures: true,
  facts: {
    overhead: ns(`${parts} SELECT coalesce(sum(max(0, end_ns - max(start_ns, before_ns))), 0) FROM cut`),
    events: count(`${parts} SELECT count(*) FROM inside`),
    longest: ns(`${parts} SELECT coalesce(max(end_ns - start_ns), 0) FROM inside`),
    span: ns(gpuSpan),
    name: text(`${parts} SELECT name FROM inside GROUP BY name ORDER BY sum(end_ns - start_ns) DESC, name LIMIT 1`),
    start: text(`${parts} SELECT start_ns FROM inside ORDER BY end_ns - start_ns DESC, start_ns LIMIT 1`),
  },
  conclude(number, text) {
    const severity = severityOf(number('overhead'), number('span'));
    if (!severity) return null;
    return {
      severity,
      title: say(
        'The profiler takes {0} of the recorded time itself: {1}, most of it “{2}”.',
        formatPercent(number('overhead'), number('span')),
        formatDuration(number('overhead')),
        String(text('name')),
      ),
      evidence: [
        ['overhead', say('Time the profiler works')],
        ['events', say('Number of such periods')],
        ['longest', say('Longest')],
        ['span', say('From the GPU’s first operation to its last')],
      ],
      gainAtMostNs: null,
      advice: say(
        'The profiler causes gaps in these periods. Record less: fewer steps (schedule(wait=1, warmup=2, active=2)), no with_stack or profile_memory, and in nsys --trace=cuda,nvtx without --sample. Compare the length of a step with one that is not profiled.',
      ),
      link: 'https://docs.nvidia.com/nsight-systems/UserGuide/index.html',
      startNs: text('start'),
    };
  },
});
