import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {gpuWork} from './idle-sql.js';
import {count, defineRule, ns, text} from './rule.js';
import {severityOf, silentWorkShare} from './severity.js';
import {savedAtMostNs, shortProductFacts} from './short-products.js';

/**
 * Kernels whose innermost operator, or its parent, converts to another type or device. In profiles of nsys, operators
 * are NVTX ranges with numbers in their names.
 */
const conversions = `FROM kernels AS k LEFT JOIN slices AS o ON o.id = k.operator_slice_id LEFT JOIN slices AS p ON p.id = o.parent_id
WHERE k.range_path LIKE '%aten::\\_to\\_copy%' ESCAPE '\\' OR o.name IN ('aten::_to_copy', 'aten::to') OR (o.name = 'aten::copy_' AND p.name IN ('aten::_to_copy', 'aten::to'))`;

export const castFacts = {
  casts: ns(`SELECT coalesce(sum(k.duration_ns), 0) ${conversions}`),
  kernels: count(`SELECT count(*) ${conversions}`),
  start: text(`SELECT k.start_ns ${conversions} ORDER BY k.duration_ns DESC, k.start_ns LIMIT 1`),
  file: text(
    `SELECT k.python_file ${conversions} GROUP BY k.python_file, k.python_line ORDER BY k.python_file IS NULL, sum(k.duration_ns) DESC LIMIT 1`,
  ),
  line: text(
    `SELECT k.python_line ${conversions} GROUP BY k.python_file, k.python_line ORDER BY k.python_file IS NULL, sum(k.duration_ns) DESC LIMIT 1`,
  ),
};

/** Finds tensors that are converted between types again and again. */
export const casts = defineRule({
  id: 'precision/casts',
  looksFor: 'Kernels launched by `aten::_to_copy`, which convert a tensor’s type.',
  silentBelow: `${silentWorkShare} Also if they take longer than 16-bit products can save: precision/mixed-gains-nothing reports that.`,
  facts: {...castFacts, ...shortProductFacts, work: ns(gpuWork)},
  conclude(number, text) {
    const severity = severityOf(number('casts'), number('work'));
    if (!severity) return null;
    // Mixed precision without a gain is a separate finding.
    const saved = savedAtMostNs(number('products'), number('volta'));
    if (saved > 0 && number('casts') >= saved) return null;
    const share = formatPercent(number('casts'), number('work'));
    return {
      severity,
      title: say(
        'Converting tensors to other types takes {0} of the GPU’s work: {1} in {2}.',
        share,
        formatDuration(number('casts')),
        counted(number('kernels'), '{0} kernel', '{0} kernels'),
      ),
      evidence: [
        ['casts', say('Kernels of `aten::_to_copy`')],
        ['kernels', say('Number of these kernels')],
        ['work', say('All GPU operations')],
      ],
      gainAtMostNs: number('casts'),
      advice: say(
        'Keep weights and activations in one type: load the model in bf16 (model.to(torch.bfloat16)) instead of casting at each use, convert inputs once outside the loop, or let torch.compile fuse casts into their neighbours.',
      ),
      link: 'https://docs.pytorch.org/docs/stable/amp.html',
      file: text('file'),
      line: text('line'),
      startNs: text('start'),
    };
  },
});
