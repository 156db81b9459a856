import type {OperatorCost} from '../roofline/cost-formula.js';

/** Classes of operators that reach a similar share of a GPU's roofs. */
export const predictedClasses = ['product', 'convolution', 'attention', 'rows', 'elementwise'] as const;
export type PredictedClass = (typeof predictedClasses)[number];

/**
 * Returns the class of an operator (`aten::addmm` → product), by its name and its cost. Rows are norms and softmax:
 * operators that reduce along one dimension and write as much as they read.
 */
export function predictedClass(name: string, cost: Pick<OperatorCost, 'flops'> | null): PredictedClass {
  if (/convolution|conv\d?d|conv_depthwise/.test(name)) return 'convolution';
  if (name.includes('attention')) return 'attention';
  if (cost !== null && cost.flops.matrix > 0) return 'product';
  return /norm|softmax/.test(name) ? 'rows' : 'elementwise';
}
