import {plural} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {gpuSpan, idleOf, isAllocation, longestIdleStart} from './idle-sql.js';
import {frameFile, frameLine} from './place-sql.js';
import {count, defineRule, ns, text} from './rule.js';
import {severityOf, silentShare} from './severity.js';

const isCall = `kind IN ('cuda_runtime', 'cuda_driver') AND ${isAllocation}`;

/** Memory of the GPU is allocated or freed by the driver while the GPU has nothing to do. */
export const allocation = defineRule({
  id: 'idle/allocation',
  looksFor: 'Time in which the GPU is idle while a thread is in cudaMalloc, cudaFree, cudaHostAlloc or their like.',
  silentBelow: `${silentShare} Where one call takes half of the time of all, the title and the advice say so.`,
  facts: {
    idle: ns(idleOf('allocation')),
    span: ns(gpuSpan),
    calls: count(`SELECT count(*) FROM api_calls WHERE ${isAllocation}`),
    longest: ns(`SELECT coalesce(max(duration_ns), 0) FROM api_calls WHERE ${isAllocation}`),
    called: ns(`SELECT coalesce(sum(duration_ns), 0) FROM api_calls WHERE ${isAllocation}`),
    start: text(longestIdleStart('allocation')),
    file: text(frameFile(isCall)),
    line: text(frameLine(isCall)),
  },
  conclude(number, text) {
    const severity = severityOf(number('idle'), number('span'));
    if (!severity) return null;
    const isColdStart = 2 * number('longest') >= number('called');
    const share = formatPercent(number('idle'), number('span'));
    return {
      severity,
      title: `The GPU is idle while memory is allocated and freed${isColdStart ? ', most of the time in one call' : ` in ${plural(number('calls'), 'call')}`}: ${share} of its time, ${formatDuration(number('idle'))}.`,
      evidence: [
        ['idle', 'The GPU is idle while a thread allocates or frees memory'],
        ['span', 'From the GPU’s first operation to its last'],
        ['calls', 'Calls that allocate or free'],
        ['called', 'Threads are in these calls'],
        ['longest', 'The longest of them'],
      ],
      gainAtMostNs: number('idle'),
      advice: isColdStart
        ? 'One call takes longer than all others together: most often the first one of a process, which loads the driver and the libraries. Profile after a few steps of warm-up. If it is in the middle, look at the timeline for what it waits for.'
        : 'PyTorch keeps freed memory for later: calls inside a step mean that it ran out and asked the driver again, or that this is the first step. Profile after a few steps of warm-up; remove torch.cuda.empty_cache() from the loop; try PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, or a smaller batch if memory is nearly full.',
      link: 'https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf',
      file: text('file'),
      line: text('line'),
      startNs: text('start'),
    };
  },
});
