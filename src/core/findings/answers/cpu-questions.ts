import type {Question} from './question.js';
import {passQuestions} from './usual-questions.js';

/**
 * PyTorch's operators with their self time (without operators directly inside) and their pass: autograd’s nodes are
 * backward, and the optimizer has its own range.
 */
const operators = `marks AS (
  SELECT id, track_id, name, start_ns, end_ns, duration_ns, kind = 'cpu_op' AS is_operator,
    name LIKE 'autograd::engine::%' AS is_backward, name LIKE 'Optimizer.step#%' OR name LIKE '%optimizer%' AS is_optimizer
  FROM slices WHERE kind IN ('cpu_op', 'user_annotation')
), inside AS (SELECT parent_id, sum(duration_ns) AS ns FROM slices WHERE kind = 'cpu_op' GROUP BY parent_id
), placed AS (
  SELECT id, name, is_operator, duration_ns,
    max(CASE WHEN is_backward THEN end_ns END) OVER before > start_ns AS is_backward,
    max(CASE WHEN is_optimizer THEN end_ns END) OVER before > start_ns AS is_optimizer
  FROM marks WINDOW before AS (PARTITION BY track_id ORDER BY start_ns, end_ns DESC ROWS UNBOUNDED PRECEDING)
), operators_in AS (
  SELECT p.id, p.name, p.duration_ns - coalesce(inside.ns, 0) AS self_ns,
    CASE WHEN is_optimizer THEN 'optimizer' WHEN is_backward THEN 'backward' ELSE 'forward and others' END AS pass,
    CASE WHEN name IN ('aten::mm', 'aten::addmm', 'aten::bmm', 'aten::baddbmm', 'aten::mv', 'aten::dot', 'aten::_mkldnn_linear', 'mkldnn::_linear_pointwise') THEN 'matrix product'
      WHEN name LIKE '%convolution%' THEN 'convolution' WHEN name LIKE 'aten::%attention%' THEN 'attention'
      WHEN name LIKE 'aten::%softmax%' THEN 'softmax' WHEN name LIKE 'aten::%norm%' THEN 'normalisation'
      WHEN name IN ('aten::copy_', 'aten::cat') THEN 'copy' ELSE 'other' END AS class
  FROM placed AS p LEFT JOIN inside ON inside.parent_id = p.id WHERE is_operator
)`;

const costOf = (
  condition: string,
): string => `WITH ${operators}, asked AS (SELECT * FROM operators_in WHERE ${condition})
SELECT name AS operator, count(*) AS calls, sum(self_ns) AS self_ns, round(100.0 * sum(self_ns) / (SELECT sum(self_ns) FROM asked), 2) AS share_percent
FROM asked GROUP BY name ORDER BY sum(self_ns) DESC, name LIMIT 5`;

/** The usual questions about a recording of only the CPU, with operators in place of kernels. */
export const cpuQuestions: readonly Question[] = [
  ...passQuestions,
  {
    question: 'Which operators cost most in the forward pass, and how often do they run?',
    about: 'Self time on the CPU, without nested operators. For a profile with a GPU, this question lists kernels.',
    sql: costOf("pass = 'forward and others'"),
  },
  {
    question: 'Which operators cost most across all passes?',
    about: 'The same across forward, backward and optimizer.',
    sql: costOf('1'),
  },
  {
    question: 'What takes time besides matrix products?',
    about: 'Operators by class, which is guessed from their names.',
    sql: `WITH ${operators} SELECT class, count(*) AS operators, sum(self_ns) AS self_ns, round(100.0 * sum(self_ns) / (SELECT sum(self_ns) FROM operators_in), 2) AS share_percent FROM operators_in GROUP BY class ORDER BY 3 DESC`,
  },
  {
    question: 'How do the shares change over a training step?',
    about: 'The share of matrix products in the operators of each pass.',
    sql: `WITH ${operators} SELECT pass, sum(self_ns) AS self_ns, round(100.0 * sum(self_ns) FILTER (WHERE class = 'matrix product') / sum(self_ns), 2) AS products_percent, round(100.0 * sum(self_ns) FILTER (WHERE class IN ('softmax', 'normalisation')) / sum(self_ns), 2) AS softmax_and_norms_percent FROM operators_in GROUP BY pass ORDER BY 2 DESC`,
  },
  {
    question: 'How does softmax compare with the attention products?',
    about:
      'CPU time of the ranges named after these parts, and the FLOP of the products inside them, computed from their shapes. Softmax needs 3 to 5 FLOP per score; the two products need 4 d, where d is the head size.',
    sql: `WITH parts AS (SELECT CASE WHEN name LIKE '%softmax%' THEN 'softmax' ELSE 'products of attention' END AS part, track_id, start_ns, end_ns, duration_ns FROM ranges
  WHERE name LIKE '%softmax%' OR name LIKE '%attention score%' OR name LIKE '%final matm%'
), computed AS (
  SELECT p.part, p.start_ns, sum(o.flop) AS flop FROM parts AS p JOIN operators AS o ON o.track_id = p.track_id AND o.start_ns >= p.start_ns AND o.end_ns <= p.end_ns
  WHERE o.flop > 0 AND (p.part = 'softmax' OR o.name IN ('aten::mm', 'aten::bmm', 'aten::baddbmm')) GROUP BY p.part, p.track_id, p.start_ns
)
SELECT part, count(*) AS ranges, sum(duration_ns) AS total_ns, round(100.0 * sum(duration_ns) / (SELECT sum(duration_ns) FROM parts), 2) AS share_percent,
  (SELECT round(sum(flop) / 1e9, 4) FROM computed AS c WHERE c.part = parts.part) AS gflop FROM parts GROUP BY part ORDER BY 3 DESC`,
  },
  {
    question: 'What is the peak memory use?',
    about: 'Memory counters, if the profile has them (profile_memory=True).',
    sql: "SELECT name AS counter, max(value) AS most_bytes FROM counters WHERE unit = 'bytes' GROUP BY name ORDER BY 2 DESC LIMIT 8",
  },
];
