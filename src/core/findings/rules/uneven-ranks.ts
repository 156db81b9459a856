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
  looksFor: 'GPUs of one profile that take part in communication, and compute for unequal times.',
  silentBelow:
    'Where the GPU that computes least does so for less than 10 % less than the one that computes most, or the excess over the mean is below 3 % of the time from the GPU’s first operation to its last. From 10 %: medium; from 25 %: high.',
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
        'GPUs have unequal work: GPU {0} computes for {1}, another for {2}, and those that are done wait.',
        String(text('device')),
        formatDuration(number('most')),
        formatDuration(number('least')),
      ),
      evidence: [
        ['uneven', say('The least is below the most by')],
        ['most', say('The GPU that computes most')],
        ['least', say('The one that computes least')],
        ['excess', say('The most over the mean of all')],
        ['ranks', say('GPUs that take part in communication')],
        ['span', say('From the GPU’s first operation to its last')],
      ],
      gainAtMostNs: number('excess'),
      advice: say(
        'Give every rank as much: batches by tokens instead of samples (a sampler that sorts by length), layers of a pipeline by their time, experts with a load-balancing loss. gpu-lens job compares ranks of several files step by step.',
      ),
      link: 'https://docs.pytorch.org/docs/stable/distributed.html',
    };
  },
});
