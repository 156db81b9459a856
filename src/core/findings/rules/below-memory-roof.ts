import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {gpuWork, mainDevice} from './idle-sql.js';
import {workFile, workLine} from './place-sql.js';
import {count, defineRule, ns, percent, text} from './rule.js';
import {severityOf} from './severity.js';

const norms = "'aten::native_layer_norm', 'aten::native_layer_norm_backward'";
const softmaxes =
  "'aten::_softmax', 'aten::_softmax_backward_data', 'aten::_log_softmax', 'aten::_log_softmax_backward_data'";
const leastNs = 10_000;
const leastShare = 0.25;

/** Softmax next to batched products is attention that is not fused, which another rule finds. */
const isAsked = `o.name IN (${norms}) OR (o.name IN (${softmaxes}) AND NOT EXISTS (SELECT 1 FROM kernels WHERE operator IN ('aten::bmm', 'aten::baddbmm')))`;

const slow = `WITH roof AS (
  SELECT memory_bytes_per_second / 1e9 AS bytes_per_ns FROM devices WHERE id IS ${mainDevice} AND memory_bytes_per_second > 0
), launched AS (
  SELECT operator_slice_id AS id, sum(duration_ns) AS ns, min(start_ns) AS start_ns FROM kernels
  WHERE operator IN (${norms}, ${softmaxes}) GROUP BY operator_slice_id
), named AS (
  SELECT o.name, count(*) AS calls, sum(l.ns) AS ns, sum(o.moved_bytes) AS bytes, min(l.start_ns) AS start_ns
  FROM operators AS o JOIN launched AS l ON l.id = o.slice_id WHERE l.ns >= ${String(leastNs)} AND o.moved_bytes > 0 AND (${isAsked}) GROUP BY o.name
), slow AS (
  SELECT named.*, bytes / bytes_per_ns AS least_ns FROM named, roof WHERE bytes < ${String(leastShare)} * ns * bytes_per_ns
), worst AS (SELECT * FROM slow ORDER BY ns DESC, name LIMIT 1)`;

/** Finds rows that are read and written far below the memory's bandwidth. */
export const belowMemoryRoof = defineRule({
  id: 'kernels/below-memory-roof',
  looksFor:
    'Normalisation and softmax kernels that use less than a quarter of the memory bandwidth for their inputs and outputs.',
  silentBelow:
    'From a quarter of the data sheet’s bandwidth, for operators of less than 10 µs, below 3 % of the GPU’s work, or if the shapes or the GPU are not known. From 10 %: medium; from 25 %: high. Softmax beside batched products counts as unfused attention.',
  facts: {
    time: ns(`${slow} SELECT coalesce(sum(ns), 0) FROM slow`),
    least: ns(`${slow} SELECT CAST(coalesce(sum(least_ns), 0) AS INTEGER) FROM slow`),
    calls: count(`${slow} SELECT coalesce(sum(calls), 0) FROM slow`),
    bytes: {sql: `${slow} SELECT CAST(coalesce(sum(bytes), 0) AS INTEGER) FROM slow`, unit: 'bytes'},
    share: percent(`${slow} SELECT round(100 * sum(least_ns) / sum(ns), 1) FROM slow`),
    work: ns(gpuWork),
    name: text(`${slow} SELECT name FROM worst`),
    start: text(`${slow} SELECT start_ns FROM worst`),
    file: text(workFile(`operator = (${slow} SELECT name FROM worst)`)),
    line: text(workLine(`operator = (${slow} SELECT name FROM worst)`)),
  },
  conclude(number, text) {
    const severity = severityOf(number('time'), number('work'));
    if (!severity) return null;
    return {
      severity,
      title: say(
        '{0} is far below the memory’s speed: {1} of it and its like move data at {2} % of the bandwidth, in {3} of the GPU’s work.',
        String(text('name')),
        counted(number('calls'), '{0} call', '{0} calls'),
        String(number('share')),
        formatPercent(number('time'), number('work')),
      ),
      evidence: [
        ['time', say('They take; {0} are enough for their bytes', formatDuration(number('least')))],
        ['least', say('Their bytes at the bandwidth of the data sheet')],
        ['bytes', say('Inputs and outputs once each, by their shapes')],
        ['share', say('Share of the bandwidth in use')],
        ['calls', say('Calls of at least 10 µs')],
        ['work', say('All GPU operations')],
      ],
      gainAtMostNs: Math.max(0, number('time') - number('least')),
      advice: say(
        'Make rows contiguous first (x.contiguous()), keep activations in bf16, and let torch.compile(model) fuse the operator with its neighbours into one kernel that reads each row once. The fused kernels of a library (Apex, Liger) do the same.',
      ),
      link: 'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#fuse-operations',
      file: text('file'),
      line: text('line'),
      startNs: text('start'),
    };
  },
});
