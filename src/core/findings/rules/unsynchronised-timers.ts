import {say} from '../../base/say.js';
import {formatDuration} from '../../format/duration.js';
import {gpuSpan} from './idle-sql.js';
import {count, defineRule, ns, ratio, text} from './rule.js';

/** Ranges that libraries open themselves; nobody times with them. */
const isOwn = `name NOT LIKE 'ProfilerStep#%' AND name NOT LIKE 'Optimizer.%' AND name NOT LIKE 'enumerate(DataLoader%' AND name NOT LIKE '%nccl%'
  AND name NOT LIKE 'gloo:%' AND name NOT LIKE 'aten::%' AND name NOT LIKE 'autograd::%' AND name NOT LIKE 'torch::%' AND name NOT LIKE '%Torch-Compiled%'
  AND name NOT LIKE '## Call CompiledFxGraph%' AND name NOT LIKE 'DistributedDataParallel%' AND name NOT LIKE '%, op_id = %' AND name NOT LIKE '%, seq = %'`;
const leastPart = 0.03;

// The busy time adds the GPUs: the work of one range on several lasts no longer than until the last of it ends.
const timers = `WITH timers AS (
  SELECT name, count(*) AS instances, sum(duration_ns) AS cpu_ns, sum(min(gpu_busy_ns, duration_ns + gpu_tail_ns)) AS gpu_ns, min(start_ns) AS start_ns
  FROM ranges WHERE ${isOwn} GROUP BY name
), early AS (
  SELECT * FROM timers WHERE gpu_ns > 1.1 * cpu_ns AND gpu_ns >= ${String(leastPart)} * (${gpuSpan})
), worst AS (SELECT * FROM early ORDER BY gpu_ns - cpu_ns DESC, name LIMIT 1)`;

/** Finds ranges that end before the GPU work that they launched: the CPU only queued it. */
export const unsynchronisedTimers = defineRule({
  id: 'doubt/unsynchronised-timers',
  looksFor:
    'Ranges that end on the CPU long before their GPU work: a timer around them, or a table of ranges, shows too little.',
  silentBelow:
    'If the GPU is busy with a range’s work for less than 1.1 times the range’s CPU time, or for less than 3 % of the time from the GPU’s first operation to its last. Ranges that PyTorch and NCCL open themselves do not count. From a factor of ten: medium.',
  doubtsFigures: true,
  facts: {
    gpu: ns(`${timers} SELECT gpu_ns FROM worst`),
    cpu: ns(`${timers} SELECT cpu_ns FROM worst`),
    factor: ratio(`${timers} SELECT round(1.0 * gpu_ns / max(cpu_ns, 1), 2) FROM worst`),
    instances: count(`${timers} SELECT instances FROM worst`),
    ranges: count(`${timers} SELECT count(*) FROM early`),
    name: text(`${timers} SELECT name FROM worst`),
    start: text(`${timers} SELECT start_ns FROM worst`),
  },
  conclude(number, text) {
    if (number('ranges') === 0) return null;
    const name = String(text('name'));
    return {
      severity: number('factor') < 10 ? 'low' : 'medium',
      title: say(
        'A timer around “{0}” shows too little: {1} on the CPU, but the GPU is busy with its work for {2}.',
        name,
        formatDuration(number('cpu')),
        formatDuration(number('gpu')),
      ),
      evidence: [
        ['gpu', say('The GPU is busy with its work')],
        ['cpu', say('CPU time of the range')],
        ['factor', say('Ratio of the two')],
        ['instances', say('Instances')],
        ['ranges', say('Ranges that end before their GPU work')],
      ],
      gainAtMostNs: null,
      advice: say(
        'Call torch.cuda.synchronize() before both readings of the clock, or use events: start.record(); …; end.record(); torch.cuda.synchronize(); start.elapsed_time(end). In tables, use the ranges’ GPU columns instead of their CPU time.',
      ),
      link: 'https://docs.pytorch.org/docs/stable/notes/cuda.html#asynchronous-execution',
      startNs: text('start'),
    };
  },
});
