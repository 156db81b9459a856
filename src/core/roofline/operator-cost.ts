import {attentionCosts} from './attention-costs.js';
import type {CostFormula, OperatorCost} from './cost-formula.js';
import {convolutionCosts} from './convolution-costs.js';
import {elementwiseCost} from './elementwise-costs.js';
import type {OperatorInputs} from '../figures/operator-inputs.js';
import {productCosts} from './product-costs.js';
import {rowCosts} from './row-costs.js';

/** By an operator's name without its namespace. */
const formulas: ReadonlyMap<string, CostFormula> = new Map<string, CostFormula>([
  ...Object.entries(productCosts),
  ...Object.entries(convolutionCosts),
  ...Object.entries(attentionCosts),
  ...Object.entries(rowCosts),
]);

/** The formula for an operator's name (`aten::addmm`), null for those whose cost its shapes do not tell. */
export function costFormula(name: string): CostFormula | null {
  if (!name.startsWith('aten::')) return null;
  const own = name.slice('aten::'.length);
  return formulas.get(own) ?? elementwiseCost(own);
}

/** The cost of an operator; null where there is no formula, or the profile does not say enough. */
export function operatorCost(name: string, inputs: OperatorInputs): OperatorCost | null {
  const cost = costFormula(name)?.(inputs) ?? null;
  // Sizes come from a file: what does not fit a double is not a cost.
  return cost && Number.isFinite(cost.bytes + cost.flops.matrix + cost.flops.vector) && cost.bytes > 0 ? cost : null;
}
