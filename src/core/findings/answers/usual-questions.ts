import type {Question} from './question.js';

/** Ranges that a program’s author, or PyTorch, named after a pass of a step. */
const isPass = `(name LIKE '%forward%' OR name LIKE '%fwd%' OR name LIKE '%backward%' OR name LIKE '%bwd%' OR name LIKE '%optimizer%' OR name LIKE 'Optimizer.step%' OR name LIKE '%loss%' OR name LIKE 'ProfilerStep#%' OR name LIKE '%step%')`;
/** Steps of one profile are numbered; here they share one name. */
const passName = "CASE WHEN name LIKE 'ProfilerStep#%' THEN 'ProfilerStep' ELSE name END";

/** The pass of an operation, as far as autograd and the optimizer’s own range show it. */
const pass = `CASE WHEN is_backward = 1 OR bucket IS '(backward, unmatched)' OR operator LIKE '%Backward%' THEN 'backward'
    WHEN range_path LIKE '%ptimizer%' THEN 'optimizer' ELSE 'forward and others' END`;
const kernelWork = "FROM gpu_operations WHERE kind = 'kernel'";

const timesOf = (duration: string, condition: string): string => `WITH instances AS (
  SELECT ${passName} AS range, ${duration} AS ns, row_number() OVER (PARTITION BY ${passName} ORDER BY start_ns) AS at FROM ranges WHERE ${isPass}
), means AS (SELECT range, count(*) AS n, avg(ns) AS mean FROM instances WHERE ${condition} GROUP BY range)
SELECT i.range, m.n, round(m.mean) AS mean_ns, round(sqrt(sum((i.ns - m.mean) * (i.ns - m.mean)) / nullif(m.n - 1, 0))) AS std_ns, min(i.ns) AS least_ns, max(i.ns) AS most_ns
FROM instances AS i JOIN means AS m ON m.range = i.range WHERE ${condition} GROUP BY i.range ORDER BY m.mean * m.n DESC`;

/** The steps, numbered from 1. */
const steps = `steps AS (SELECT start_ns, end_ns, row_number() OVER (ORDER BY start_ns) AS at, count(*) OVER () AS n FROM ranges
  WHERE name LIKE 'ProfilerStep#%' OR (NOT EXISTS (SELECT 1 FROM ranges WHERE name LIKE 'ProfilerStep#%') AND parent_id IS NULL AND name LIKE '%step%'))`;

const kernelsOf = (
  condition: string,
): string => `WITH kernels_in AS (SELECT short_name, duration_ns ${kernelWork} AND ${condition})
SELECT short_name AS kernel, count(*) AS calls, sum(duration_ns) AS total_ns, round(100.0 * sum(duration_ns) / (SELECT sum(duration_ns) FROM kernels_in), 2) AS share_percent
FROM kernels_in GROUP BY short_name ORDER BY sum(duration_ns) DESC, short_name LIMIT 5`;

/** How long passes take on the CPU. */
export const passQuestions: readonly Question[] = [
  {
    question: 'How long do forward, backward and optimizer take on the CPU, including warm-up?',
    about:
      'Ranges named after a pass or a step. A range ends when its work is launched, not when the GPU has finished it.',
    sql: timesOf('duration_ns', '1'),
  },
  {
    question: 'How long do they take on the CPU, without the first instance?',
    about: 'The same without the first instance of each: the difference is warm-up.',
    sql: timesOf('duration_ns', 'at > 1'),
  },
];

/** The usual questions about the profile of a training step. */
export const usualQuestions: readonly Question[] = [
  ...passQuestions,
  {
    question: 'How much GPU work is launched in them, without the first instance?',
    about:
      'Sum of the GPU operations that the range’s own thread launched. The backward pass has ranges only if the program named them.',
    sql: timesOf('gpu_work_ns', 'at > 1'),
  },
  {
    question: 'How much GPU work do forward, backward and optimizer do in total?',
    about:
      'Autograd’s sequence numbers identify backward work. An nsys report has them only if the program used emit_nvtx.',
    sql: `SELECT ${pass} AS pass, count(*) AS operations, sum(duration_ns) AS gpu_work_ns, round(100.0 * sum(duration_ns) / (SELECT sum(duration_ns) FROM gpu_operations), 2) AS share_percent FROM gpu_operations GROUP BY 1 ORDER BY 3 DESC`,
  },
  {
    question: 'Does the profiler agree with a timer?',
    about:
      'A profile alone cannot answer this: gpu-lens cross-check -- COMMAND times the same steps with a clock, the PyTorch profiler and nsys. The table shows each step’s CPU time beside the GPU time of its launches. A timer without torch.cuda.synchronize() measures the CPU time.',
    sql: `WITH ${steps}, launched AS (SELECT steps.at, min(o.start_ns) AS from_ns, max(o.end_ns) AS to_ns FROM steps JOIN gpu_operations AS o ON o.launch_start_ns >= steps.start_ns AND o.launch_start_ns < steps.end_ns GROUP BY steps.at)
SELECT steps.at AS step, steps.end_ns - steps.start_ns AS cpu_ns, to_ns - from_ns AS gpu_span_ns, to_ns - steps.start_ns AS until_gpu_done_ns FROM steps JOIN launched ON launched.at = steps.at ORDER BY steps.at LIMIT 20`,
  },
  {
    question: 'What did the first step do that the others do not?',
    about: 'API calls in which the first step spends more time than the other steps do on average.',
    sql: `WITH ${steps}, calls AS (SELECT c.name AS call, sum(CASE WHEN s.at = 1 THEN c.duration_ns ELSE 0 END) AS first, sum(CASE WHEN s.at = 1 THEN 1 ELSE 0 END) AS first_calls, sum(CASE WHEN s.at > 1 THEN c.duration_ns ELSE 0 END) / max(s.n - 1) AS others, 1.0 * sum(CASE WHEN s.at > 1 THEN 1 ELSE 0 END) / max(s.n - 1) AS other_calls
  FROM steps AS s JOIN api_calls AS c ON c.start_ns >= s.start_ns AND c.start_ns < s.end_ns WHERE s.n > 1 GROUP BY c.name)
SELECT call, first AS first_step_ns, first_calls, others AS other_steps_mean_ns, round(other_calls, 1) AS other_steps_mean_calls FROM calls WHERE first > others ORDER BY first - others DESC LIMIT 6`,
  },
  {
    question: 'Which kernels cost most in the forward pass, and how often do they run?',
    about: 'If the profile cannot distinguish the passes, these are all kernels outside the optimizer.',
    sql: kernelsOf(`${pass} = 'forward and others'`),
  },
  {
    question: 'Which kernels cost most across all passes?',
    about: 'The same across forward, backward and optimizer.',
    sql: kernelsOf('1'),
  },
  {
    question: 'What takes time besides matrix products?',
    about: 'Kernels by class, which is guessed from their names.',
    sql: `SELECT class, count(*) AS kernels, sum(duration_ns) AS total_ns, round(100.0 * sum(duration_ns) / (SELECT sum(duration_ns) ${kernelWork}), 2) AS share_percent ${kernelWork} GROUP BY class ORDER BY 3 DESC`,
  },
  {
    question: 'How do the shares change over a training step?',
    about: 'The share of matrix products in the kernels of each pass.',
    sql: `SELECT ${pass} AS pass, sum(duration_ns) AS kernels_ns, round(100.0 * sum(CASE WHEN class = 'matrix product' THEN duration_ns ELSE 0 END) / sum(duration_ns), 2) AS products_percent, round(100.0 * sum(CASE WHEN class = 'elementwise' THEN duration_ns ELSE 0 END) / sum(duration_ns), 2) AS elementwise_percent, round(100.0 * sum(CASE WHEN class IN ('softmax', 'reduction', 'normalisation') THEN duration_ns ELSE 0 END) / sum(duration_ns), 2) AS reductions_percent ${kernelWork} GROUP BY 1 ORDER BY 2 DESC`,
  },
  {
    question: 'How does softmax compare with the attention products?',
    about:
      'The two attention products need 4 d FLOP per score, where d is the head size, and softmax needs 3 to 5: with d = 64, the products need at least 51 times as many. Times come from ranges named after these parts, or from kernels if there are none. FLOP come from recorded shapes (record_shapes=True).',
    sql: `WITH parts AS (SELECT CASE WHEN coalesce(range_name, '') LIKE '%softmax%' OR class = 'softmax' OR operator LIKE '%softmax%' THEN 'softmax'
    WHEN range_name LIKE '%score%' OR range_name LIKE '%final matmul%' OR range_name LIKE '%values%' OR operator IN ('aten::bmm', 'aten::baddbmm') THEN 'products of attention' WHEN class = 'attention' THEN 'fused attention' END AS part, duration_ns, operator_slice_id
  ${kernelWork}), launched AS (
  SELECT part, operator_slice_id, count(*) AS kernels, sum(duration_ns) AS ns FROM parts WHERE part IS NOT NULL GROUP BY part, operator_slice_id
), computed AS (
  SELECT l.part, sum(l.kernels) AS kernels, sum(l.ns) AS ns, sum(o.flop) AS flop, sum(l.ns) FILTER (WHERE o.flop > 0) AS flop_ns
  FROM launched AS l LEFT JOIN operators AS o ON o.slice_id = l.operator_slice_id GROUP BY l.part
)
SELECT part, kernels, ns AS total_ns, round(100.0 * ns / (SELECT sum(duration_ns) ${kernelWork}), 2) AS share_percent,
  round(flop / 1e9, 3) AS gflop, round(flop / flop_ns, 1) AS gflop_per_second FROM computed ORDER BY ns DESC`,
  },
  {
    question: 'In which precision do matrix products run?',
    about: 'Guessed from the kernels’ names, which do not always show it.',
    sql: `SELECT CASE WHEN name LIKE '%tf32%' OR name LIKE '%s1688%' THEN 'tf32' WHEN name LIKE '%bf16%' OR name LIKE '%bfloat16%' THEN 'bf16' WHEN name LIKE '%fp16%' OR name LIKE '%f16%' OR name LIKE '%hgemm%' OR name LIKE '%half%' OR name LIKE '%s16816%' OR name LIKE '%s884%' OR name LIKE '%h884%' THEN 'fp16 or bf16' WHEN name LIKE '%sgemm%' OR name LIKE '%f32f32%' THEN 'fp32' ELSE 'not told' END AS precision, count(*) AS kernels, sum(duration_ns) AS total_ns, round(100.0 * sum(duration_ns) / (SELECT sum(duration_ns) ${kernelWork} AND class = 'matrix product'), 2) AS share_percent ${kernelWork} AND class = 'matrix product' GROUP BY 1 ORDER BY 3 DESC`,
  },
  {
    question: 'What is the peak memory use?',
    about:
      'Memory counters, if the profile has them (profile_memory=True). gpu-lens memory SNAPSHOT shows what holds the memory.',
    sql: "SELECT name AS counter, device, max(value) AS most_bytes FROM counters WHERE unit = 'bytes' GROUP BY name, device ORDER BY 3 DESC LIMIT 8",
  },
  {
    question: 'How do experts run?',
    about: 'Matrix products in modules, ranges or functions named after experts.',
    sql: "SELECT coalesce(module, range_name, python_function) AS place, count(*) AS products, round(avg(duration_ns)) AS mean_ns, sum(duration_ns) AS total_ns FROM gpu_operations WHERE kind = 'kernel' AND class = 'matrix product' AND (module LIKE '%expert%' OR range_path LIKE '%expert%' OR python_function LIKE '%expert%') GROUP BY 1 ORDER BY 4 DESC LIMIT 8",
  },
];
