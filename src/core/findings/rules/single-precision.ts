import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {gpuWork} from './idle-sql.js';
import {workFile, workLine} from './place-sql.js';
import {count, defineRule, ns, text} from './rule.js';
import {severityOf, silentWorkShare} from './severity.js';

/** Names of NVIDIA's products and convolutions in fp32 without tensor cores (TF32 kernels name their instruction). */
export const isSinglePrecision = `(name LIKE '%sgemm%' OR name LIKE '%\\_ffma\\_%' ESCAPE '\\' OR name LIKE '%scudnn%'
  OR name LIKE '%grad_engine<float%' OR name LIKE '%wgrad_alg%engine<float%' OR name LIKE '%convolve_sgemm<float%')
  AND name NOT LIKE '%tf32%' AND name NOT LIKE '%tensorop%'`;

/** Pascal and older, which have no tensor cores; AMD’s kernels have other names. */
const isWithoutTensorCores = `name LIKE '%P100%' OR name LIKE '%P40%' OR name LIKE '%P4' OR name LIKE '%GTX%' OR name LIKE '%K80%' OR name LIKE '%TITAN X%'`;

/** Volta and Turing have tensor cores only for fp16. */
export const isBeforeTf32 = `name LIKE '%V100%' OR name LIKE '%T4' OR name LIKE '%TITAN RTX%' OR name LIKE '%TITAN V%' OR name LIKE '%RTX 20%' OR name LIKE 'Quadro RTX%'`;

/**
 * According to NVIDIA’s data sheets, tensor cores take at least an eighth of the time of fp32 units for the same
 * product.
 */
const fastest = 1 / 8;

/** Finds products in fp32 on a GPU with tensor cores. */
export const singlePrecision = defineRule({
  id: 'precision/fp32-products',
  looksFor: 'Matrix products and convolutions in fp32 outside tensor cores, on a GPU that has tensor cores.',
  silentBelow: silentWorkShare,
  facts: {
    products: ns(`SELECT coalesce(sum(duration_ns), 0) FROM kernels WHERE ${isSinglePrecision}`),
    kernels: count(`SELECT count(*) FROM kernels WHERE ${isSinglePrecision}`),
    work: ns(gpuWork),
    older: text(`SELECT count(*) FROM devices WHERE ${isWithoutTensorCores}`),
    volta: text(
      `SELECT (SELECT count(*) FROM devices WHERE ${isBeforeTf32}) + (SELECT count(*) FROM kernels WHERE name LIKE 'volta%' OR name LIKE 'turing%')`,
    ),
    start: text(`SELECT start_ns FROM kernels WHERE ${isSinglePrecision} ORDER BY duration_ns DESC, start_ns LIMIT 1`),
    file: text(workFile(isSinglePrecision)),
    line: text(workLine(isSinglePrecision)),
  },
  conclude(number, text) {
    const severity = severityOf(number('products'), number('work'));
    if (!severity || number('older') > 0) return null;
    const share = formatPercent(number('products'), number('work'));
    return {
      severity,
      title: say(
        'Matrix products in fp32 leave the tensor cores unused: {0} of the GPU’s work, {1} in {2}.',
        share,
        formatDuration(number('products')),
        counted(number('kernels'), '{0} kernel', '{0} kernels'),
      ),
      evidence: [
        ['products', say('Kernels of products and convolutions in fp32 outside tensor cores')],
        ['kernels', say('Number of these kernels')],
        ['work', say('All GPU operations')],
      ],
      gainAtMostNs: Math.floor(number('products') * (1 - fastest)),
      advice:
        number('volta') > 0
          ? say(
              'Run them in fp16: with torch.autocast("cuda", torch.float16) and a torch.amp.GradScaler around the step.',
            )
          : say(
              'Use the tensor cores: torch.set_float32_matmul_precision("high") enables TF32 with one line; torch.autocast("cuda", torch.bfloat16) also halves the bytes.',
            ),
      link: 'https://docs.pytorch.org/docs/stable/notes/cuda.html#tensorfloat-32-tf32-on-ampere-and-later-devices',
      file: text('file'),
      line: text('line'),
      startNs: text('start'),
    };
  },
});
