import {say, template} from '../../base/say.js';
import {idleRule} from './idle-rule.js';
import {counted} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {isAllocation} from './idle-sql.js';
import {frameFile, frameLine} from './place-sql.js';
import {count, ns, text} from './rule.js';

const isCall = `kind IN ('cuda_runtime', 'cuda_driver') AND ${isAllocation}`;

/** Finds times in which the driver allocates or frees GPU memory while the GPU is idle. */
export const allocation = idleRule({
  cause: 'allocation',
  id: 'idle/allocation',
  looksFor: 'Time when the GPU is idle while a thread is in cudaMalloc, cudaFree, cudaHostAlloc or a similar call.',
  silentToo: 'If one call takes half of the total, the title and the advice say so.',
  idleSays: template('The GPU is idle while a thread allocates or frees memory'),
  facts: {
    calls: count(`SELECT count(*) FROM api_calls WHERE ${isAllocation}`),
    longest: ns(`SELECT coalesce(max(duration_ns), 0) FROM api_calls WHERE ${isAllocation}`),
    called: ns(`SELECT coalesce(sum(duration_ns), 0) FROM api_calls WHERE ${isAllocation}`),
    file: text(frameFile(isCall)),
    line: text(frameLine(isCall)),
  },
  conclude(number, text) {
    const isColdStart = 2 * number('longest') >= number('called');
    const share = formatPercent(number('idle'), number('span'));
    return {
      title: say(
        isColdStart
          ? 'The GPU is idle while memory is allocated and freed, most of the time in one call: {0} of its time, {1}.'
          : 'The GPU is idle while memory is allocated and freed in {2}: {0} of its time, {1}.',
        share,
        formatDuration(number('idle')),
        counted(number('calls'), '{0} call', '{0} calls'),
      ),
      evidence: [
        ['calls', say('Calls that allocate or free')],
        ['called', say('Time threads spend in these calls')],
        ['longest', say('Longest call')],
      ],
      advice: isColdStart
        ? say(
            'One call takes longer than all the others together. Usually this is the first call of a process, which loads the driver and the libraries: profile after a few warm-up steps. If the call is in the middle, look in the timeline for what it waits for.',
          )
        : say(
            'PyTorch caches freed memory. Calls inside a step mean that the cache was exhausted and PyTorch asked the driver for more, or that this is the first step. Profile after a few warm-up steps; remove torch.cuda.empty_cache() from the loop; try PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, or a smaller batch if memory is nearly full.',
          ),
      link: 'https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf',
      file: text('file'),
      line: text('line'),
    };
  },
});
