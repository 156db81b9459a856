import {plural} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {gpuSpan, idleOf, longestIdleStart, mainDevice} from './idle-sql.js';
import {count, defineRule, ns, text} from './rule.js';
import {severityOf, silentShare} from './severity.js';

const operations = `gpu_operations WHERE device IS ${mainDevice}`;

/** The GPU has done all its work before the CPU launches more. */
export const launchBound = defineRule({
  id: 'idle/launch-bound',
  looksFor:
    'Gaps of the GPU that began before the next operation was launched: the queue was empty and the CPU late, with no wait for the GPU, for data or for memory.',
  silentBelow: silentShare,
  facts: {
    idle: ns(idleOf('launch')),
    span: ns(gpuSpan),
    operations: count(`SELECT count(*) FROM ${operations}`),
    mean: ns(`SELECT CAST(coalesce(avg(duration_ns), 0) AS INTEGER) FROM ${operations}`),
    between: ns(
      `SELECT CAST(coalesce((max(launch_start_ns) - min(launch_start_ns)) / nullif(count(launch_start_ns) - 1, 0), 0) AS INTEGER) FROM ${operations}`,
    ),
    start: text(longestIdleStart('launch')),
  },
  conclude(number, text) {
    const severity = severityOf(number('idle'), number('span'));
    if (!severity) return null;
    const share = formatPercent(number('idle'), number('span'));
    return {
      severity,
      title: `The CPU launches too slowly for the GPU: the queue is empty for ${share} of the GPU’s time, ${formatDuration(number('idle'))}, over ${plural(number('operations'), 'operation')}.`,
      evidence: [
        ['idle', 'The GPU is idle before operations that are launched late'],
        ['span', 'From the GPU’s first operation to its last'],
        ['operations', 'Operations of the GPU'],
        ['mean', 'An operation takes on average'],
        ['between', 'From one launch to the next on average'],
      ],
      gainAtMostNs: number('idle'),
      advice:
        'Launch less, or cheaper: torch.compile(model, mode="reduce-overhead") replays CUDA graphs; a larger batch gives each kernel more to do; optimizers with fused=True or foreach=True replace thousands of launches by a few. Look at the timeline for Python code between launches.',
      link: 'https://docs.pytorch.org/docs/stable/notes/cuda.html#cuda-graphs',
      startNs: text('start'),
    };
  },
});
