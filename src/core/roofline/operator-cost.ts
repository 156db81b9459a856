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

/** Returns the formula for an operator's name (`aten::addmm`); null if shapes do not determine its cost. */
export function costFormula(name: string): CostFormula | null {
  if (!name.startsWith('aten::')) return null;
  const own = name.slice('aten::'.length);
  return formulas.get(own) ?? elementwiseCost(own);
}

/** Returns the cost of an operator; null if there is no formula, or the profile lacks data for it. */
export function operatorCost(name: string, inputs: OperatorInputs): OperatorCost | null {
  const cost = costFormula(name)?.(inputs) ?? null;
  // Sizes come from a file: a cost that exceeds a double is invalid.
  return cost && Number.isFinite(cost.bytes + cost.flops.matrix + cost.flops.vector) && cost.bytes > 0 ? cost : null;
}
