import type {OperatorCost} from '../roofline/cost-formula.js';

/** Operators that reach a like share of a GPU's roofs. */
export const predictedClasses = ['product', 'convolution', 'attention', 'rows', 'elementwise'] as const;
export type PredictedClass = (typeof predictedClasses)[number];

/**
 * The class of an operator (`aten::addmm` → product), by its name and what it costs. Rows are norms and softmax: what
 * reduces along one side and writes as much as it read.
 */
export function predictedClass(name: string, cost: Pick<OperatorCost, 'flops'> | null): PredictedClass {
  if (/convolution|conv\d?d|conv_depthwise/.test(name)) return 'convolution';
  if (name.includes('attention')) return 'attention';
  if (cost !== null && cost.flops.matrix > 0) return 'product';
  return /norm|softmax/.test(name) ? 'rows' : 'elementwise';
}
