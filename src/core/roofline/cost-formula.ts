import type {Flops} from '../estimate/layer-cost.js';
import type {Precision} from '../estimate/precision.js';
import type {OperatorInputs} from '../figures/operator-inputs.js';

/** The operations and bytes of an operator, from the shapes of its inputs. */
export interface OperatorCost {
  readonly flops: Flops;
  /** Inputs and outputs once each. */
  readonly bytes: number;
  /** The precision of the products; null if the operator has none. */
  readonly precision: Precision | null;
}

/** Returns the cost of an operator with given inputs; null if they do not determine it. */
export type CostFormula = (inputs: OperatorInputs) => OperatorCost | null;
