import {say, template} from '../../base/say.js';
import {idleRule} from './idle-rule.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {isLoader} from './idle-sql.js';
import {count, ns, text} from './rule.js';
import {frameFile, frameLine} from './place-sql.js';

/** Finds times in which the GPU waits for the next batch. */
export const dataLoader = idleRule({
  cause: 'loader',
  id: 'idle/data-loader',
  looksFor: 'Time when the GPU is idle while a thread waits for PyTorch’s DataLoader.',
  idleSays: template('The GPU is idle while a thread waits for a batch'),
  facts: {
    batches: count(`SELECT count(*) FROM slices WHERE ${isLoader}`),
    waited: ns(`SELECT coalesce(sum(duration_ns), 0) FROM slices WHERE ${isLoader}`),
    file: text(frameFile(isLoader)),
    line: text(frameLine(isLoader)),
  },
  conclude(number, text) {
    const idle = formatDuration(number('idle'));
    return {
      title: say(
        'The GPU waits for the data loader: {0} of its time, {1}.',
        formatPercent(number('idle'), number('span')),
        idle,
      ),
      evidence: [
        ['waited', say('Time threads wait for batches')],
        ['batches', say('Batches waited for')],
      ],
      advice: say(
        'Load batches in worker processes and prefetch them: DataLoader(…, num_workers=4, pin_memory=True, prefetch_factor=4, persistent_workers=True). If the workers themselves are too slow, move decoding and augmentation out of them or onto the GPU.',
      ),
      link: 'https://docs.pytorch.org/docs/stable/data.html#multi-process-data-loading',
      file: text('file'),
      line: text('line'),
    };
  },
});
