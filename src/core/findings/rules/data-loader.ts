import {formatDuration, formatPercent} from '../../format/duration.js';
import {gpuSpan, idleOf, isLoader, longestIdleStart} from './idle-sql.js';
import {defineRule, count, ns, text} from './rule.js';
import {severityOf, silentShare} from './severity.js';
import {frameFile, frameLine} from './place-sql.js';

/** The GPU waits for the next batch. */
export const dataLoader = defineRule({
  id: 'idle/data-loader',
  looksFor: 'Time in which the GPU is idle while a thread waits for PyTorch’s DataLoader.',
  silentBelow: silentShare,
  facts: {
    idle: ns(idleOf('loader')),
    span: ns(gpuSpan),
    batches: count(`SELECT count(*) FROM slices WHERE ${isLoader}`),
    waited: ns(`SELECT coalesce(sum(duration_ns), 0) FROM slices WHERE ${isLoader}`),
    start: text(longestIdleStart('loader')),
    file: text(frameFile(isLoader)),
    line: text(frameLine(isLoader)),
  },
  conclude(number, text) {
    const severity = severityOf(number('idle'), number('span'));
    if (!severity) return null;
    const idle = formatDuration(number('idle'));
    return {
      severity,
      title: `The GPU waits for the data loader: ${formatPercent(number('idle'), number('span'))} of its time, ${idle}.`,
      evidence: [
        ['idle', 'The GPU is idle while a thread waits for a batch'],
        ['span', 'From the GPU’s first operation to its last'],
        ['waited', 'Threads wait for batches'],
        ['batches', 'Batches that are waited for'],
      ],
      gainAtMostNs: number('idle'),
      advice:
        'Load batches in other processes and keep some ready: DataLoader(…, num_workers=4, pin_memory=True, prefetch_factor=4, persistent_workers=True). If the workers are too slow themselves, move decoding and augmentation out of them or onto the GPU.',
      link: 'https://docs.pytorch.org/docs/stable/data.html#multi-process-data-loading',
      file: text('file'),
      line: text('line'),
      startNs: text('start'),
    };
  },
});
