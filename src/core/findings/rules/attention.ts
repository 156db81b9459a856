import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {gpuWork} from './idle-sql.js';
import {workFile, workLine} from './place-sql.js';
import {count, defineRule, ns, text} from './rule.js';
import {severityOf, silentWorkShare} from './severity.js';

/** A separate softmax kernel; the loss uses log-softmax instead. */
const isSoftmax =
  "kind = 'kernel' AND (operator IN ('aten::_softmax', 'aten::_softmax_backward_data', 'aten::_safe_softmax') OR (operator IS NULL AND class = 'softmax' AND name NOT LIKE '%LogSoftMax%'))";
const isProduct = "kind = 'kernel' AND operator IN ('aten::bmm', 'aten::baddbmm')";

/** Finds attention made of products and a separate softmax: the matrix of scores goes to memory and back. */
export const attention = defineRule({
  id: 'attention/not-fused',
  looksFor: 'Separate softmax kernels beside batched products: attention that writes its scores to memory.',
  silentBelow: `${silentWorkShare} Below four softmax kernels, or if there are fewer batched products.`,
  facts: {
    softmax: ns(`SELECT coalesce(sum(duration_ns), 0) FROM gpu_operations WHERE ${isSoftmax}`),
    softmaxes: count(`SELECT count(*) FROM gpu_operations WHERE ${isSoftmax}`),
    products: ns(`SELECT coalesce(sum(duration_ns), 0) FROM gpu_operations WHERE ${isProduct}`),
    productCount: count(`SELECT count(*) FROM gpu_operations WHERE ${isProduct}`),
    work: ns(gpuWork),
    start: text(`SELECT start_ns FROM gpu_operations WHERE ${isSoftmax} ORDER BY duration_ns DESC, start_ns LIMIT 1`),
    file: text(workFile(isSoftmax)),
    line: text(workLine(isSoftmax)),
  },
  conclude(number, text) {
    const severity = severityOf(number('softmax'), number('work'));
    const least = Math.min(number('softmaxes'), number('productCount'));
    if (!severity || least < 4) return null;
    const share = formatPercent(number('softmax'), number('work'));
    return {
      severity,
      title: say(
        'Attention is not fused: softmax alone takes {0} of the GPU’s work, {1} in {2}.',
        share,
        formatDuration(number('softmax')),
        counted(number('softmaxes'), '{0} kernel', '{0} kernels'),
      ),
      evidence: [
        ['softmax', say('Softmax kernels')],
        ['softmaxes', say('Count')],
        ['products', say('Time of batched products beside them')],
        ['productCount', say('Count')],
        ['work', say('All GPU operations')],
      ],
      gainAtMostNs: number('softmax'),
      advice: say(
        'Use torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True), which picks FlashAttention where it can; in Hugging Face models, attn_implementation="sdpa" or "flash_attention_2".',
      ),
      link: 'https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.scaled_dot_product_attention.html',
      file: text('file'),
      line: text('line'),
      startNs: text('start'),
    };
  },
});
