import type {Flops} from '../estimate/layer-cost.js';
import type {Precision} from '../estimate/precision.js';
import type {OperatorInputs} from '../figures/operator-inputs.js';

/** What an operator computes and moves, from the shapes of its inputs. */
export interface OperatorCost {
  readonly flops: Flops;
  /** Inputs and outputs once each. */
  readonly bytes: number;
  /** What the products are in, null where the operator has none. */
  readonly precision: Precision | null;
}

/** The cost of an operator with given inputs; null where they do not tell it. */
export type CostFormula = (inputs: OperatorInputs) => OperatorCost | null;
