import {plural} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {gpuWork} from './idle-sql.js';
import {workFile, workLine} from './place-sql.js';
import {count, defineRule, ns, text} from './rule.js';

/** PyTorch writes casts and copies between layouts with the same template, and compilers fuse them likewise. */
const isElementwise =
  "kind = 'kernel' AND (class = 'elementwise' OR (class = 'copy' AND name LIKE '%elementwise_kernel%')) AND name NOT LIKE 'triton_%'";
const leastPart = 0.2;

/** Many kernels that each read and write whole tensors for one small operation. */
export const elementwise = defineRule({
  id: 'kernels/elementwise',
  looksFor: 'Elementwise kernels, casts and copies between layouts among them, that no compiler has fused.',
  silentBelow: 'Below 20 % of the GPU’s work, or 100 kernels. From 40 %: medium.',
  facts: {
    elementwise: ns(`SELECT coalesce(sum(duration_ns), 0) FROM gpu_operations WHERE ${isElementwise}`),
    kernels: count(`SELECT count(*) FROM gpu_operations WHERE ${isElementwise}`),
    work: ns(gpuWork),
    start: text(
      `SELECT start_ns FROM gpu_operations WHERE ${isElementwise} ORDER BY duration_ns DESC, start_ns LIMIT 1`,
    ),
    file: text(workFile(isElementwise)),
    line: text(workLine(isElementwise)),
  },
  conclude(number, text) {
    const part = number('work') > 0 ? number('elementwise') / number('work') : 0;
    if (part < leastPart || number('kernels') < 100) return null;
    return {
      severity: part < 2 * leastPart ? 'low' : 'medium',
      title: `Elementwise kernels take ${formatPercent(number('elementwise'), number('work'))} of the GPU’s work: ${formatDuration(number('elementwise'))} in ${plural(number('kernels'), 'kernel')} that nothing has fused.`,
      evidence: [
        ['elementwise', 'Elementwise kernels that are not Triton’s'],
        ['kernels', 'Their number'],
        ['work', 'All operations of the GPU'],
      ],
      gainAtMostNs: number('elementwise'),
      advice:
        'Each of them reads and writes whole tensors. torch.compile(model) fuses chains of them into one kernel; fused activations and normalisations of a library do the same by hand.',
      link: 'https://docs.pytorch.org/tutorials/intermediate/torch_compile_tutorial.html',
      file: text('file'),
      line: text('line'),
      startNs: text('start'),
    };
  },
});
