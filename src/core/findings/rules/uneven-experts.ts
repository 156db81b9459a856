import {say} from '../../base/say.js';
import {formatDuration} from '../../format/duration.js';
import {expertTimes} from './expert-sql.js';
import {gpuWork} from './idle-sql.js';
import {count, defineRule, ns, ratio, text} from './rule.js';
import {severityOf, silentWorkShare} from './severity.js';

const leastExperts = 4;
const leastFactor = 2;

/** Finds an expert that gets far more tokens than the others. */
export const unevenExperts = defineRule({
  id: 'experts/uneven',
  looksFor: 'Experts of a mixture (numbered modules or ranges) where one takes at least twice the mean.',
  silentBelow: `Below four experts, a factor of two, or 3 % of the GPU’s work for all experts. ${silentWorkShare.replace(/^.*?\. /, '')}`,
  facts: {
    factor: ratio(`${expertTimes} SELECT round(1.0 * max(ns) / avg(ns), 2) FROM experts`),
    most: ns(`${expertTimes} SELECT coalesce(max(ns), 0) FROM experts`),
    mean: ns(`${expertTimes} SELECT CAST(coalesce(avg(ns), 0) AS INTEGER) FROM experts`),
    all: ns(`${expertTimes} SELECT coalesce(sum(ns), 0) FROM experts`),
    experts: count(`${expertTimes} SELECT count(*) FROM experts`),
    work: ns(gpuWork),
    name: text(`${expertTimes} SELECT name FROM experts ORDER BY ns DESC, name LIMIT 1`),
  },
  conclude(number, text) {
    const severity = severityOf(number('all'), number('work'));
    if (!severity || number('experts') < leastExperts || number('factor') < leastFactor) return null;
    return {
      severity,
      title: say(
        'Experts have uneven loads: “{0}” takes {1}, {2} times the mean.',
        String(text('name')),
        formatDuration(number('most')),
        String(number('factor')),
      ),
      evidence: [
        ['factor', say('Slowest over the mean')],
        ['most', say('The slowest expert')],
        ['mean', say('Mean of all experts')],
        ['experts', say('Experts')],
        ['all', say('Total time')],
        ['work', say('All GPU operations')],
      ],
      gainAtMostNs: Math.max(0, number('most') - number('mean')),
      advice: say(
        'If the experts are on several GPUs, all wait for the one with the most tokens: raise the weight of the load-balancing loss (router_aux_loss_coef=0.01), limit the capacity of an expert (capacity_factor=1.25), or balance the load with a router bias.',
      ),
      link: 'https://docs.pytorch.org/docs/stable/distributed.html',
    };
  },
});
