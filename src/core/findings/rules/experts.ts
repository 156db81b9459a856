import {say} from '../../base/say.js';
import {formatCount} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {isExpert} from './expert-sql.js';
import {gpuWork} from './idle-sql.js';
import {workFile, workLine} from './place-sql.js';
import {count, defineRule, ns, text} from './rule.js';

const leastProducts = 64;
const longestMeanNs = 100_000;

/** Finds experts of a mixture that run one after the other, with a small product each. */
export const experts = defineRule({
  id: 'experts/one-by-one',
  looksFor: 'Many small matrix products in modules, ranges or functions named after experts.',
  silentBelow: 'Below 64 products, or if they take more than 100 µs each on average.',
  facts: {
    products: count(`SELECT count(*) FROM gpu_operations WHERE ${isExpert}`),
    time: ns(`SELECT coalesce(sum(duration_ns), 0) FROM gpu_operations WHERE ${isExpert}`),
    mean: ns(`SELECT CAST(coalesce(avg(duration_ns), 0) AS INTEGER) FROM gpu_operations WHERE ${isExpert}`),
    work: ns(gpuWork),
    start: text(`SELECT min(start_ns) FROM gpu_operations WHERE ${isExpert}`),
    file: text(workFile(isExpert)),
    line: text(workLine(isExpert)),
  },
  conclude(number, text) {
    if (number('products') < leastProducts || number('mean') > longestMeanNs) return null;
    return {
      severity: 'medium',
      title: say(
        'Experts run one by one: {0} matrix products of {1} each, {2} of the GPU’s work.',
        formatCount(number('products')),
        formatDuration(number('mean')),
        formatPercent(number('time'), number('work')),
      ),
      evidence: [
        ['products', say('Matrix products of experts')],
        ['mean', say('Average time of one')],
        ['time', say('Total time')],
        ['work', say('All GPU operations')],
      ],
      gainAtMostNs: number('time'),
      advice: say(
        'Sort tokens by expert and multiply them in one grouped product (torch._grouped_mm, MegaBlocks, or a Triton kernel for grouped GEMM) instead of a loop over experts.',
      ),
      file: text('file'),
      line: text('line'),
      startNs: text('start'),
    };
  },
});
