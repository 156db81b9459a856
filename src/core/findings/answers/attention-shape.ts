import type {Question} from './question.js';

/** The sizes of one call of attention. */
export interface AttentionShape {
  readonly batch: number;
  readonly heads: number;
  readonly context: number;
  readonly headSize: number;
}

/** Maximum, difference, exponential, sum and quotient are about 3 to 5 operations per score; the fewest are counted. */
const softmaxFlop = 3;

/** Parses a shape such as `4x20x256x64`; null if the text is not one. */
export function parseAttentionShape(text: string): AttentionShape | null {
  const sizes = /^(\d{1,9})x(\d{1,9})x(\d{1,9})x(\d{1,9})$/.exec(text)?.slice(1).map(Number);
  if (!sizes || sizes.includes(0)) return null;
  const [batch = 0, heads = 0, context = 0, headSize = 0] = sizes;
  return {batch, heads, context, headSize};
}

/**
 * SQL that maps a name to a part of attention; NULL for others. A range of scores may have "softmax" in its name.
 *
 * @param name the column with the name
 */
export const attentionPart = (name: string): string =>
  `CASE WHEN ${name} LIKE '%softmax%' AND ${name} NOT LIKE '%score%' THEN 'softmax' WHEN ${name} LIKE '%score%' OR ${name} LIKE '%matm%' THEN 'products of attention' END`;

/**
 * Returns a question about what softmax and the two products of attention compute according to the model's shape: 2 b h
 * t² d FLOP per product, 3 b h t² for softmax, where b is the batch, h the heads, t the context and d the size of a
 * head.
 *
 * @param parts a query with the columns `part`, `calls` and `ns`
 * @see docs/metrics.md#answers
 */
export function flopQuestion({batch, heads, context, headSize}: AttentionShape, parts: string): Question {
  const scores = batch * heads * context * context;
  const flop = `CASE part WHEN 'softmax' THEN ${String(softmaxFlop * scores)}.0 ELSE ${String(2 * headSize * scores)}.0 END`;
  return {
    question: 'How much do softmax and the attention products compute, given the model’s shape?',
    about: `Uses the ranges named after these parts, one call each: ${String(batch)} × ${String(heads)} × ${String(context)} × ${String(context)} scores, ${String(softmaxFlop)} FLOP each for softmax and 2 × ${String(headSize)} for each of the two products.`,
    sql: `WITH parts AS (${parts}), summed AS (SELECT part, sum(calls) AS calls, sum(ns) AS ns FROM parts WHERE part IS NOT NULL GROUP BY part)
SELECT part, calls, ns AS total_ns, round(100.0 * ns / (SELECT sum(ns) FROM summed), 2) AS time_percent, round(calls * ${flop} / 1e9, 3) AS gflop,
  round(100.0 * calls * ${flop} / (SELECT sum(calls * ${flop}) FROM summed), 2) AS flop_percent, round(calls * ${flop} / ns, 1) AS gflop_per_second FROM summed ORDER BY ns DESC`,
  };
}

/** A profile's ranges by part: their GPU work, or their CPU time if they launch nothing. */
export const partsOfRanges = `SELECT ${attentionPart('name')} AS part, 1 AS calls, CASE WHEN gpu_work_ns > 0 THEN gpu_work_ns ELSE duration_ns END AS ns FROM ranges`;
