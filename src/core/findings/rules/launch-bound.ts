import {say, template} from '../../base/say.js';
import {idleRule} from './idle-rule.js';
import {counted} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {longIdleCount, longIdleOf, mainDevice} from './idle-sql.js';
import {count, ns} from './rule.js';

const operations = `gpu_operations WHERE device IS ${mainDevice}`;

/** Finds times in which the GPU has done all its work before the CPU launches more. */
export const launchBound = idleRule({
  cause: 'launch',
  id: 'idle/launch-bound',
  looksFor:
    'GPU gaps that began before the next operation was launched: the queue was empty and the CPU was late, without waiting for the GPU, for data or for memory.',
  silentToo:
    'If gaps of at least 1 ms make up half of it, the launches are not the cause: the title and the advice say so.',
  idleSays: template('The GPU is idle before operations launched late'),
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
    const lost = say('the queue is empty for {0} of the GPU’s time, {1}', share, formatDuration(number('idle')));
    return {
      title: isInterrupted
        ? say(
            'The CPU is busy with something other than launches: {0}, most of it in {1}.',
            lost,
            counted(number('longCount'), '{0} long gap', '{0} long gaps'),
          )
        : say(
            'The CPU launches too slowly for the GPU: {0}, over {1}.',
            lost,
            counted(number('operations'), '{0} operation', '{0} operations'),
          ),
      evidence: [
        ['long', say('Such idle time in gaps of at least 1 ms')],
        ['longCount', say('Number of these gaps')],
        ['operations', say('GPU operations')],
        ['mean', say('Average time of an operation')],
        ['between', say('Average time from one launch to the next')],
      ],
      advice: isInterrupted
        ? say(
            'Look at the longest gaps in the timeline. If they are at the beginning (loading libraries, compiling or choosing kernels), profile after a few warm-up steps. If they recur in each step, move that work off the thread that launches: reading and writing files, logging, evaluation, garbage collection.',
          )
        : say(
            'Launch fewer operations, or launch them at lower cost: torch.compile(model, mode="reduce-overhead") replays CUDA graphs; a larger batch gives each kernel more to do; optimizers with fused=True or foreach=True replace thousands of launches by a few. Look at the timeline for Python code between launches.',
          ),
      link: 'https://docs.pytorch.org/docs/stable/notes/cuda.html#cuda-graphs',
    };
  },
});
