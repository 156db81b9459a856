import {say} from '../../base/say.js';
import {formatCount} from '../../format/count.js';
import {formatDuration} from '../../format/duration.js';
import {count, ns, ratio, text} from '../rules/rule.js';
import {rowsOf, type PrintedTable} from './printed-tables.js';
import {tableRule} from './table-rule.js';

/** Rows of products. `linear` and `matmul` are excluded, because they launch the other products. */
const productRows = (table: PrintedTable): string =>
  `WITH operators AS (${rowsOf(table, {n: '# of Calls', cpu: 'CPU time avg', gpu: 'CUDA time avg', gpu_total: 'CUDA total'})}), worst AS (SELECT * FROM operators WHERE name IN ('aten::addmm', 'aten::mm', 'aten::bmm', 'aten::baddbmm') AND n >= 1000 AND gpu > 0 AND gpu <= 100000 AND cpu > gpu ORDER BY n DESC, "row" LIMIT 1), experts AS (SELECT name, n FROM operators WHERE (name LIKE '%expert%' OR name LIKE '%moe%') AND (SELECT n FROM worst) % n = 0 ORDER BY n DESC, length(name) LIMIT 1)`;

/** Finds experts computed one by one, according to operators. */
export const smallProducts = tableRule({
  id: 'printed/small-products',
  looksFor: 'Many small matrix products in a printed key_averages: experts, or other parts of a model, one by one.',
  silentBelow:
    'Below 1,000 calls, or if a call takes more than 100 µs on the GPU, or longer on the GPU than on the CPU.',
  reports: ['key_averages'],
  needsColumn: 'CUDA time avg',
  factsOf(table) {
    const tables = productRows(table);
    return {
      calls: count(`${tables} SELECT n FROM worst`),
      gpu: ns(`${tables} SELECT gpu FROM worst`),
      cpu: ns(`${tables} SELECT cpu FROM worst`),
      all: ns(`${tables} SELECT gpu_total FROM worst`),
      name: text(`${tables} SELECT name FROM worst`),
      expertName: text(`${tables} SELECT name FROM experts`),
      expertCalls: count(`${tables} SELECT n FROM experts`),
      perExpertCall: ratio(`${tables} SELECT worst.n / experts.n FROM worst, experts`),
    };
  },
  weight: table => table.number('calls'),
  conclude(worst) {
    const name = String(worst.text('name'));
    const experts = worst.text('expertName');
    return {
      severity: 'medium',
      title: say(
        'Matrix products are small and many: {0} calls of {1}, each {2} of the GPU and {3} of the CPU.',
        formatCount(worst.number('calls')),
        name,
        formatDuration(worst.number('gpu')),
        formatDuration(worst.number('cpu')),
      ),
      evidence: [
        worst.says('calls', say('calls of {0}', name)),
        worst.says('gpu', say('average GPU time of one call')),
        worst.says('cpu', say('average CPU time of one call')),
        worst.says('all', say('total GPU time')),
        ...(typeof experts === 'string'
          ? [
              worst.says('expertCalls', say('calls of “{0}”', experts)),
              worst.says('perExpertCall', say('calls of {0} for each of them', name)),
            ]
          : []),
      ],
      gainAtMostNs: worst.number('all'),
      advice: say(
        'If they are experts of a mixture, sort the tokens by expert and multiply them in one grouped product (torch._grouped_mm, MegaBlocks). Otherwise, stack equal shapes for torch.bmm, or launch them as one CUDA graph (torch.compile(mode="reduce-overhead")).',
      ),
      link: 'https://docs.pytorch.org/docs/stable/generated/torch.bmm.html',
    };
  },
});
