import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {gpuWork} from './idle-sql.js';
import {workFile, workLine} from './place-sql.js';
import {count, defineRule, ns, text} from './rule.js';
import {severityOf} from './severity.js';

const operators =
  "'aten::mm', 'aten::bmm', 'aten::addmm', 'aten::baddbmm', 'aten::_addmm_activation', 'aten::_scaled_mm'";
const isAdded = "o.name IN ('aten::addmm', 'aten::baddbmm', 'aten::_addmm_activation')";
/** Returns SQL about the first or second matrix; the matrix to add comes before both. */
const ofMatrix = (at: 0 | 1, column: string, rest = '') =>
  `json_extract(o.${column}, CASE WHEN ${isAdded} THEN '$[${String(at + 1)}]${rest}' ELSE '$[${String(at)}]${rest}' END)`;

/**
 * Products on tensor cores, by whether rows of both matrices are multiples of 16 bytes, in groups of the same operator,
 * type and power of two of FLOP. Only products of one group are compared.
 *
 * @see NVIDIA, Matrix Multiplication Background User’s Guide, "Tensor Core Requirements"
 */
const groups = `WITH launched AS (
  SELECT operator_slice_id AS id, sum(duration_ns) AS ns, max(name LIKE '%tf32%' OR name LIKE '%s1688gemm%') AS is_tf32, min(start_ns) AS start_ns
  FROM kernels WHERE operator IN (${operators}) GROUP BY operator_slice_id
), shaped AS (
  SELECT o.slice_id, o.name, o.flop, l.ns, l.start_ns, l.is_tf32, ${ofMatrix(0, 'input_types')} AS type,
    ${ofMatrix(0, 'input_dims', '[#-1]')} AS k, ${ofMatrix(1, 'input_dims', '[#-1]')} AS n
  FROM operators AS o JOIN launched AS l ON l.id = o.slice_id WHERE o.flop > 0
), multiplied AS (
  SELECT *, CASE WHEN type IN ('c10::Half', 'c10::BFloat16') THEN 8 WHEN type LIKE 'c10::Float8%' THEN 16
    WHEN type = 'float' AND is_tf32 THEN 4 END AS multiple FROM shaped
), products AS (
  SELECT *, k % multiple <> 0 OR n % multiple <> 0 AS is_unaligned FROM multiplied WHERE multiple IS NOT NULL
), groups AS (
  SELECT name, type, CAST(log2(flop) AS INTEGER) AS size, count(*) FILTER (WHERE is_unaligned) AS unaligned,
    sum(ns) FILTER (WHERE is_unaligned) AS unaligned_ns, sum(flop) FILTER (WHERE is_unaligned) AS unaligned_flop,
    sum(ns) FILTER (WHERE NOT is_unaligned) AS aligned_ns, sum(flop) FILTER (WHERE NOT is_unaligned) AS aligned_flop
  FROM products GROUP BY 1, 2, 3
), slower AS (
  SELECT *, unaligned_ns - unaligned_flop * aligned_ns / aligned_flop AS gain_ns FROM groups
  WHERE unaligned_ns > unaligned_flop * aligned_ns / aligned_flop
)`;

/** Finds products whose shapes tensor cores cannot read at full speed, with equally large ones that they can. */
export const unalignedShapes = defineRule({
  id: 'shapes/unaligned',
  looksFor:
    'Matrix products on tensor cores whose inner side or number of columns is not a multiple of 16 bytes, and that take longer than aligned products of the same operator, type and size (FLOP within a power of two) in the same profile.',
  silentBelow: `If aligned products would save less than 3 % of the GPU’s work, or if no aligned product is as large. From 10 %: medium; from 25 %: high.`,
  facts: {
    gain: ns(`${groups} SELECT CAST(coalesce(sum(gain_ns), 0) AS INTEGER) FROM slower`),
    time: ns(`${groups} SELECT coalesce(sum(unaligned_ns), 0) FROM slower`),
    products: count(`${groups} SELECT coalesce(sum(unaligned), 0) FROM slower`),
    rate: count(`${groups} SELECT CAST(round(sum(unaligned_flop) / sum(unaligned_ns)) AS INTEGER) FROM slower`),
    alignedRate: count(
      `${groups} SELECT CAST(round(sum(unaligned_flop) / sum(unaligned_ns - gain_ns)) AS INTEGER) FROM slower`,
    ),
    work: ns(gpuWork),
    sides: text(
      `${groups} SELECT k || ' × ' || n FROM products WHERE is_unaligned GROUP BY k, n ORDER BY sum(ns) DESC, k, n LIMIT 1`,
    ),
    start: text(`${groups} SELECT start_ns FROM products WHERE is_unaligned ORDER BY ns DESC, start_ns LIMIT 1`),
    file: text(workFile(`operator IN (${operators})`)),
    line: text(workLine(`operator IN (${operators})`)),
  },
  conclude(number, text) {
    const severity = severityOf(number('gain'), number('work'));
    if (!severity) return null;
    return {
      severity,
      title: say(
        'Shapes of {0} do not fit the tensor cores: aligned products of the same size would save {1}, {2} of the GPU’s work.',
        counted(number('products'), '{0} product', '{0} products'),
        formatDuration(number('gain')),
        formatPercent(number('gain'), number('work')),
      ),
      evidence: [
        ['gain', say('Time saved at the speed of aligned products of the same size')],
        ['time', say('Time of these products')],
        [
          'products',
          say('Number of these products; most of the time is in {0} (inner side × columns)', String(text('sides'))),
        ],
        ['rate', say('Speed of these products, GFLOP/s')],
        ['alignedRate', say('Speed of aligned products of the same size, GFLOP/s')],
        ['work', say('All GPU operations')],
      ],
      gainAtMostNs: number('gain'),
      advice: say(
        'Pad sizes to multiples of 8 (16-bit types), or better of 64: a vocabulary of 50,304 instead of 50,257 (nn.Embedding(50304, d), nn.Linear(d, 50304)), heads of 64, sequences padded with pad_to_multiple_of=64.',
      ),
      link: 'https://docs.nvidia.com/deeplearning/performance/dl-performance-matrix-multiplication/index.html#requirements-tc',
      file: text('file'),
      line: text('line'),
      startNs: text('start'),
    };
  },
});
