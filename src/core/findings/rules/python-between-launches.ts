import {say, template} from '../../base/say.js';
import {idleRule} from './idle-rule.js';
import {counted} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {idleTables, longIdleCount, longIdleOf, mainDevice} from './idle-sql.js';
import {count, ns, text} from './rule.js';

/** The line that launched the operation after the longest idle period. */
const placeBehind = (column: string): string => `${idleTables} SELECT ${column} FROM gpu_operations
WHERE device IS ${mainDevice} AND python_file IS NOT NULL
  AND start_ns >= (SELECT at_ns FROM idle WHERE cause = 'python' ORDER BY idle_ns DESC, at_ns LIMIT 1) ORDER BY start_ns LIMIT 1`;

/** Finds times in which the GPU is idle and no thread is about to launch anything. */
export const pythonBetweenLaunches = idleRule({
  cause: 'python',
  id: 'idle/python',
  looksFor:
    'GPU gaps before operations that are launched late, while no thread is in a PyTorch operator or a CUDA call: the CPU runs Python or other code.',
  silentToo: 'Also if the profile has no operators.',
  idleSays: template('The GPU is idle while no thread is in an operator or a CUDA call'),
  facts: {
    long: ns(longIdleOf('python')),
    longCount: count(longIdleCount('python')),
    operators: count("SELECT count(*) FROM slices WHERE kind = 'cpu_op'"),
    file: text(placeBehind('python_file')),
    line: text(placeBehind('python_line')),
  },
  conclude(number, text) {
    const lost = say(
      '{0} of the GPU’s time, {1}',
      formatPercent(number('idle'), number('span')),
      formatDuration(number('idle')),
    );
    const isInterrupted = 2 * number('long') >= number('idle');
    return {
      title: isInterrupted
        ? say(
            'The CPU is busy with something other than PyTorch while the GPU is idle: {0}, most of it in {1}.',
            lost,
            counted(number('longCount'), '{0} long gap', '{0} long gaps'),
          )
        : say('Python between launches keeps the GPU waiting: {0}.', lost),
      evidence: [
        ['long', say('Such idle time in periods of at least 1 ms')],
        ['longCount', say('Number of these periods')],
        ['operators', say('Operators in the profile')],
      ],
      advice: isInterrupted
        ? say(
            'Look at the longest gaps in the timeline, and move what the CPU does there off the thread that launches: reading and writing files, logging, evaluation, preparing batches. with_stack=True in torch.profiler.profile names the functions.',
          )
        : say(
            'Do more in each call: torch.compile(model) runs loops over layers and small Python functions only once; torch._foreach_add_(params, grads) replaces a loop over parameters; build index tensors and masks once, outside the loop.',
          ),
      link: 'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html',
      file: text('file'),
      line: text('line'),
    };
  },
});
