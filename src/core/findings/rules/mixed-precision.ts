import {say} from '../../base/say.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {castFacts} from './casts.js';
import {gpuWork} from './idle-sql.js';
import {defineRule, ns} from './rule.js';
import {severityOf, silentWorkShare} from './severity.js';
import {savedAtMostNs, shortProductFacts} from './short-products.js';

/** Checks whether conversions take as long as 16 bits can save in products. */
export const mixedPrecision = defineRule({
  id: 'precision/mixed-gains-nothing',
  looksFor: 'Type conversions that take longer than 16-bit products can save: mixed precision does not help.',
  silentBelow: `${silentWorkShare} Also if conversions take less time than 16-bit products (seven times that on Volta and Turing, which have no TF32).`,
  facts: {
    ...castFacts,
    ...shortProductFacts,
    work: ns(gpuWork),
  },
  conclude(number, text) {
    const severity = severityOf(number('casts'), number('work'));
    const saved = savedAtMostNs(number('products'), number('volta'));
    if (!severity || saved === 0 || number('casts') < saved) return null;
    return {
      severity,
      title: say(
        'Mixed precision does not help: conversions take {0}, {1} of the GPU’s work, and 16-bit products save at most {2}.',
        formatDuration(number('casts')),
        formatPercent(number('casts'), number('work')),
        formatDuration(saved),
      ),
      evidence: [
        ['casts', say('Kernels of `aten::_to_copy`')],
        ['kernels', say('Number of these kernels')],
        ['products', say('Products, convolutions and attention in 16 bits')],
        ['work', say('All GPU operations')],
      ],
      gainAtMostNs: number('casts'),
      advice: say(
        'Measure the step without autocast and with torch.set_float32_matmul_precision("high"). If you need 16 bits, keep the model in that type (model.to(torch.bfloat16)) instead of casting at each use, or let torch.compile fuse the casts; small models gain from larger batches first.',
      ),
      link: 'https://docs.pytorch.org/docs/stable/amp.html',
      file: text('file'),
      line: text('line'),
      startNs: text('start'),
    };
  },
});
