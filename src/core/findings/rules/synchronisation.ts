import {say, template} from '../../base/say.js';
import {idleRule} from './idle-rule.js';
import {counted} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {isWait} from './idle-sql.js';
import {frameFile, frameLine} from './place-sql.js';
import {count, ns, text} from './rule.js';

const isItem = "name IN ('aten::item', 'aten::_local_scalar_dense', 'aten::nonzero', 'aten::is_nonzero')";
const isReading = "name IN ('aten::_local_scalar_dense', 'aten::nonzero')";

/** Finds a program that waits for the GPU, which is then idle until the next launch arrives. */
export const synchronisation = idleRule({
  cause: 'wait',
  id: 'idle/synchronisation',
  looksFor:
    'GPU gaps that begin with an empty queue while a thread waits for the GPU (`.item()`, `.cpu()`, `nonzero`, printing a tensor, synchronise).',
  idleSays: template('The GPU is idle in gaps that begin while a thread waits for it'),
  facts: {
    waits: count(`SELECT count(*) FROM api_calls WHERE ${isWait} AND name NOT LIKE '%Async%'`),
    waited: ns(`SELECT coalesce(sum(duration_ns), 0) FROM api_calls WHERE ${isWait}`),
    readings: count(`SELECT count(*) FROM slices WHERE kind = 'cpu_op' AND ${isReading}`),
    file: text(frameFile(`kind = 'cpu_op' AND ${isItem}`)),
    line: text(frameLine(`kind = 'cpu_op' AND ${isItem}`)),
  },
  conclude(number, text) {
    const readings = number('readings');
    const share = formatPercent(number('idle'), number('span'));
    return {
      title: say(
        'The program waits for the GPU {0}, and the GPU then waits for the program: {1} of its time, {2}.',
        counted(number('waits'), '{0} time', '{0} times'),
        share,
        formatDuration(number('idle')),
      ),
      evidence: [
        ['waits', say('Calls that wait for the GPU')],
        ['waited', say('Time threads spend in calls that wait for the GPU or copy')],
        ...(readings > 0 ? [['readings', say('Values read from the GPU (`.item()`, `nonzero`)')] as const] : []),
      ],
      advice: say(
        'Keep values on the GPU: sum losses as tensors and read the sum every hundred steps (total += loss.detach()), replace boolean indexing by torch.where, and copy with non_blocking=True from pinned memory.',
      ),
      link: 'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#avoid-unnecessary-cpu-gpu-synchronization',
      file: text('file'),
      line: text('line'),
    };
  },
});
