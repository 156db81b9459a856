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
  looksFor: 'Time in which the GPU is idle while a thread is in cudaMalloc, cudaFree, cudaHostAlloc or their like.',
  silentToo: 'Where one call takes half of the time of all, the title and the advice say so.',
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
        ['called', say('Threads are in these calls')],
        ['longest', say('The longest of them')],
      ],
      advice: isColdStart
        ? say(
            'One call takes longer than all others together: most often the first one of a process, which loads the driver and the libraries. Profile after a few steps of warm-up. If it is in the middle, look at the timeline for what it waits for.',
          )
        : say(
            'PyTorch keeps freed memory for later: calls inside a step mean that it ran out and asked the driver again, or that this is the first step. Profile after a few steps of warm-up; remove torch.cuda.empty_cache() from the loop; try PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, or a smaller batch if memory is nearly full.',
          ),
      link: 'https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf',
      file: text('file'),
      line: text('line'),
    };
  },
});
