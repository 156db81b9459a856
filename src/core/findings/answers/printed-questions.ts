import {attentionPart} from './attention-shape.js';
import type {Question} from './question.js';

const run = "coalesce(nullif(run, ''), nullif(title, ''), report) || ' (' || report || ')'";
const cell = (...titles: readonly string[]): string =>
  `max(CASE WHEN column_title IN (${titles.map(title => `'${title}'`).join(', ')}) THEN value END)`;

/** Printed kernels: rows of nsys’s summaries, and rows of key_averages without CPU time. */
const kernels = `cells AS (
  SELECT table_id, report, ${run} AS run, max(row_name) AS name, max(class) AS class, ${cell('Total Time', 'Self CUDA')} AS ns,
    ${cell('Time', 'Self CUDA %')} AS percent, ${cell('Instances', '# of Calls')} AS n, ${cell('Self CPU')} AS cpu
  FROM printed WHERE report IN ('cuda_gpu_kern_sum', 'cuda_gpu_kern_gb_sum', 'key_averages') GROUP BY table_id, "row"
), kernels AS (
  SELECT * FROM cells WHERE ns > 0 AND (report <> 'key_averages' OR (cpu = 0 AND name NOT LIKE 'Optimizer.%' AND name NOT LIKE 'ProfilerStep%' AND name NOT LIKE 'Mem%'))
)`;

/** Printed ranges of attention: `part`, `calls` and `ns`. */
export const printedParts = `SELECT ${attentionPart('name')} AS part, table_id, run, coalesce(n, 1) AS calls, ns FROM (
  SELECT table_id, ${run} AS run, max(row_name) AS name, ${cell('Instances')} AS n, ${cell('Total Time', 'Duration')} AS ns
  FROM printed WHERE report LIKE 'nvtx%' OR report = 'nsys_events' GROUP BY table_id, "row")`;

/** The usual questions about texts with printed tables. */
export const printedQuestions: readonly Question[] = [
  {
    question: 'How long do forward, backward and optimizer take, with and without the first sample?',
    about: 'Samples, means and ranges named after a pass, as printed. Samples without a unit are read as ms.',
    sql: `WITH samples AS (
  SELECT table_id, ${run} AS run, column_title AS pass, "row" AS at, value * 1e6 AS ns FROM printed AS p
  WHERE report = 'benchmark' AND value IS NOT NULL AND column_title <> 'Sample' AND EXISTS (SELECT 1 FROM printed AS s WHERE s.table_id = p.table_id AND s.column_title = 'Sample')
), cases(which, least) AS (VALUES ('all', 0), ('without the first', 1)
), means AS (SELECT table_id, run, pass, which, least, count(*) AS n, avg(ns) AS mean FROM samples JOIN cases ON at >= least GROUP BY 1, 2, 3, 4, 5
), rows AS (
  SELECT m.table_id, m.run, m.pass, m.which, m.n, m.mean AS mean_ns, sqrt(sum((ns - m.mean) * (ns - m.mean)) / nullif(m.n - 1, 0)) AS std_ns
  FROM means AS m JOIN samples AS s ON s.table_id = m.table_id AND s.pass = m.pass AND s.at >= m.least GROUP BY 1, 2, 3, 4, 5, 6
  UNION ALL SELECT table_id, ${run}, max(row_name), 'as printed', NULL, ${cell('Mean')}, ${cell('StdDev')} FROM printed WHERE report = 'benchmark' GROUP BY table_id, "row" HAVING ${cell('Mean')} IS NOT NULL
  UNION ALL SELECT table_id, ${run}, max(row_name), 'CPU time of the range', ${cell('Instances')}, ${cell('Avg')}, ${cell('StdDev')} FROM printed
    WHERE report LIKE 'nvtx%' AND (row_name LIKE '%forward%' OR row_name LIKE '%backward%' OR row_name LIKE '%optimizer%' OR row_name LIKE '%step%' OR row_name LIKE '%warm%') GROUP BY table_id, "row"
) SELECT run, pass, which, n, round(mean_ns) AS mean_ns, round(std_ns) AS std_ns FROM rows ORDER BY table_id, pass, which LIMIT 20`,
  },
  {
    question: 'Which kernels cost most, and how often do they run?',
    about: 'The first three rows of each printed kernel table. A run may have several passes: compare the tables.',
    sql: `WITH ${kernels}, ranked AS (SELECT *, row_number() OVER (PARTITION BY table_id ORDER BY ns DESC) AS place FROM kernels)
SELECT run, name AS kernel, n AS calls, ns AS total_ns, percent AS share_percent FROM ranked WHERE place <= 3 ORDER BY table_id, place LIMIT 20`,
  },
  {
    question: 'What takes time besides matrix products, and how does that change between runs?',
    about:
      'Printed shares by kernel class, which is guessed from the names. Rows that were not printed can be of any class: tables are often cut.',
    sql: `WITH ${kernels} SELECT run, round(sum(percent) FILTER (WHERE class = 'matrix product'), 2) AS products_percent, round(sum(percent) FILTER (WHERE class IN ('elementwise', 'copy')), 2) AS elementwise_percent,
  round(sum(percent) FILTER (WHERE class IN ('softmax', 'reduction', 'normalisation')), 2) AS reductions_percent, round(max(0, 100 - sum(percent)), 2) AS not_printed_percent FROM kernels GROUP BY table_id ORDER BY table_id LIMIT 20`,
  },
  {
    question: 'How does softmax compare with the attention products?',
    about:
      'Printed ranges named after these parts, beside the range of attention as a whole. The products need 4 d FLOP per score, where d is the head size, and softmax needs 3 to 5; --attention counts them.',
    sql: `WITH parts AS (${printedParts}), whole AS (
  SELECT table_id, max(value) AS ns FROM printed WHERE (report LIKE 'nvtx%' OR report = 'nsys_events') AND column_title IN ('Total Time', 'Duration') AND row_name LIKE '%dot_product%' GROUP BY table_id
) SELECT run, part, sum(calls) AS calls, sum(parts.ns) AS total_ns, round(100.0 * sum(parts.ns) / whole.ns, 1) AS share_percent
FROM parts LEFT JOIN whole USING (table_id) WHERE part IS NOT NULL GROUP BY table_id, part ORDER BY table_id, sum(parts.ns) DESC LIMIT 20`,
  },
];
