import {idleRule} from './idle-rule.js';
import {plural} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {longIdleCount, longIdleOf, mainDevice} from './idle-sql.js';
import {count, ns} from './rule.js';

const operations = `gpu_operations WHERE device IS ${mainDevice}`;

/** The GPU has done all its work before the CPU launches more. */
export const launchBound = idleRule({
  cause: 'launch',
  id: 'idle/launch-bound',
  looksFor:
    'Gaps of the GPU that began before the next operation was launched: the queue was empty and the CPU late, with no wait for the GPU, for data or for memory.',
  silentToo: 'Where gaps of at least 1 ms make up half of it, it is not the launches: the title and the advice say so.',
  idleSays: 'The GPU is idle before operations that are launched late',
  facts: {
    long: ns(longIdleOf('launch')),
    longCount: count(longIdleCount('launch')),
    operations: count(`SELECT count(*) FROM ${operations}`),
    mean: ns(`SELECT CAST(coalesce(avg(duration_ns), 0) AS INTEGER) FROM ${operations}`),
    between: ns(
      `SELECT CAST(coalesce((max(launch_start_ns) - min(launch_start_ns)) / nullif(count(launch_start_ns) - 1, 0), 0) AS INTEGER) FROM ${operations}`,
    ),
  },
  conclude(number) {
    const share = formatPercent(number('idle'), number('span'));
    const isInterrupted = 2 * number('long') >= number('idle');
    const lost = `the queue is empty for ${share} of the GPU’s time, ${formatDuration(number('idle'))}`;
    return {
      title: isInterrupted
        ? `The CPU does something else than launch: ${lost}, most of it in ${plural(number('longCount'), 'long gap')}.`
        : `The CPU launches too slowly for the GPU: ${lost}, over ${plural(number('operations'), 'operation')}.`,
      evidence: [
        ['long', 'Idle time of that kind in gaps of at least 1 ms'],
        ['longCount', 'These gaps'],
        ['operations', 'Operations of the GPU'],
        ['mean', 'An operation takes on average'],
        ['between', 'From one launch to the next on average'],
      ],
      advice: isInterrupted
        ? 'Look at the longest gaps in the timeline. If they are at the beginning (libraries are loaded, kernels compiled or chosen), leave the first steps out: profile after some of warm-up. If they come back in each step, move that work off the thread that launches: reading and writing files, logging, evaluation, garbage collection.'
        : 'Launch less, or cheaper: torch.compile(model, mode="reduce-overhead") replays CUDA graphs; a larger batch gives each kernel more to do; optimizers with fused=True or foreach=True replace thousands of launches by a few. Look at the timeline for Python code between launches.',
      link: 'https://docs.pytorch.org/docs/stable/notes/cuda.html#cuda-graphs',
    };
  },
});
