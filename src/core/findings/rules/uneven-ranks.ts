import {say} from '../../base/say.js';
import {formatDuration} from '../../format/duration.js';
import {gpuSpan} from './idle-sql.js';
import {count, defineRule, ns, percent, text} from './rule.js';
import {severityOf} from './severity.js';

/** The computation of each GPU of a process that communicates; other processes on the machine are not ranks. */
const ranks = `WITH ranks AS (
  SELECT pid, device, CAST(sum(duration_ns * (class <> 'communication')) AS INTEGER) AS ns FROM kernels
  GROUP BY pid, device HAVING sum(class = 'communication') > 0
)`;
const leastPercent = 10;

/** Finds a GPU that computes longer than the others, which wait for it. */
export const unevenRanks = defineRule({
  id: 'ranks/uneven',
  looksFor: 'GPUs of one profile that communicate and compute for different times.',
  silentBelow:
    'If the shortest compute time is less than 10 % below the longest, or the longest exceeds the mean by less than 3 % of the time from the GPU’s first operation to its last. From 10 %: medium; from 25 %: high.',
  facts: {
    uneven: percent(`${ranks} SELECT round(100.0 * (max(ns) - min(ns)) / max(ns), 1) FROM ranks`),
    most: ns(`${ranks} SELECT coalesce(max(ns), 0) FROM ranks`),
    least: ns(`${ranks} SELECT coalesce(min(ns), 0) FROM ranks`),
    excess: ns(`${ranks} SELECT CAST(coalesce(max(ns) - avg(ns), 0) AS INTEGER) FROM ranks`),
    ranks: count(`${ranks} SELECT count(*) FROM ranks`),
    span: ns(gpuSpan),
    device: text(`${ranks} SELECT device FROM ranks ORDER BY ns DESC, device LIMIT 1`),
  },
  conclude(number, text) {
    const severity = severityOf(number('excess'), number('span'));
    if (!severity || number('ranks') < 2 || number('uneven') < leastPercent) return null;
    return {
      severity,
      title: say(
        'GPUs have uneven work: GPU {0} computes for {1}, another for {2}, and the GPUs that finish first wait.',
        String(text('device')),
        formatDuration(number('most')),
        formatDuration(number('least')),
      ),
      evidence: [
        ['uneven', say('Difference between longest and shortest')],
        ['most', say('Longest compute time of a GPU')],
        ['least', say('Shortest compute time of a GPU')],
        ['excess', say('Longest minus the mean')],
        ['ranks', say('GPUs that communicate')],
        ['span', say('From the GPU’s first operation to its last')],
      ],
      gainAtMostNs: number('excess'),
      advice: say(
        'Give every rank the same amount of work: form batches by tokens instead of samples (a sampler that sorts by length), split pipeline layers by time, and balance experts with a load-balancing loss. gpu-lens job compares ranks of several files step by step.',
      ),
      link: 'https://docs.pytorch.org/docs/stable/distributed.html',
    };
  },
});
