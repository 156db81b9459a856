import {noTransfers, onMatrixUnits, type ElementSizes, type LayerCost} from './layer-cost.js';

/** The attention on one GPU: its share of the batch and of the heads. */
export interface AttentionPart {
  readonly batch: number;
  readonly length: number;
  readonly heads: number;
  /** Heads of the keys and values, each shared by `heads / keyValueHeads` heads of the queries. */
  readonly keyValueHeads: number;
  readonly headWidth: number;
  readonly isCausal: boolean;
}

/**
 * Returns the pairs of a query and a key that attend to each other, in one head of one sequence: all, or only keys up
 * to the query.
 */
export function attendingPairs({length, isCausal}: AttentionPart): number {
  return isCausal ? (length * (length + 1)) / 2 : length * length;
}

/**
 * Returns the cost of queries times keys. Under a causal mask, operations of masked pairs do not count; tensors stay
 * dense. Heads that share keys sum their gradients.
 *
 * @see Ainslie et al. 2023, GQA, arXiv:2305.13245, section 2.2
 */
export function logits(part: AttentionPart, {elementBytes}: ElementSizes): LayerCost {
  const {batch, length, heads, keyValueHeads, headWidth} = part;
  const pairs = attendingPairs(part);
  const inputBytes = batch * length * headWidth * heads * elementBytes;
  const otherInputBytes = batch * length * headWidth * keyValueHeads * elementBytes;
  const outputBytes = batch * heads * length * length * elementBytes;
  const bufferBytes = inputBytes + otherInputBytes;
  const activationGradientBytes = outputBytes + bufferBytes;
  return {
    name: 'logits',
    forwardFlops: onMatrixUnits(batch * heads * pairs * (2 * headWidth - 1)),
    backwardFlops: onMatrixUnits(
      batch * headWidth * (2 * heads * pairs - heads * length) +
        batch * headWidth * (2 * heads * pairs - keyValueHeads * length),
    ),
    inputBytes,
    otherInputBytes,
    outputBytes,
    bufferBytes,
    weightBytes: 0,
    activationGradientBytes,
    forwardBytes: inputBytes + otherInputBytes + outputBytes,
    backwardBytes: activationGradientBytes + bufferBytes,
    ...noTransfers,
  };
}

/** Returns the cost of attention weights times values. */
export function attend(part: AttentionPart, {elementBytes}: ElementSizes): LayerCost {
  const {batch, length, heads, keyValueHeads, headWidth} = part;
  const pairs = attendingPairs(part);
  const inputBytes = batch * heads * length * length * elementBytes;
  const otherInputBytes = batch * length * headWidth * keyValueHeads * elementBytes;
  const outputBytes = batch * length * headWidth * heads * elementBytes;
  const bufferBytes = inputBytes + otherInputBytes;
  return {
    name: 'attend',
    forwardFlops: onMatrixUnits(batch * headWidth * (2 * heads * pairs - heads * length)),
    backwardFlops: onMatrixUnits(
      batch * heads * pairs * (2 * headWidth - 1) + batch * headWidth * (2 * heads * pairs - keyValueHeads * length),
    ),
    inputBytes,
    otherInputBytes,
    outputBytes,
    bufferBytes,
    weightBytes: 0,
    activationGradientBytes: bufferBytes,
    forwardBytes: inputBytes + otherInputBytes + outputBytes,
    backwardBytes: 2 * bufferBytes,
    ...noTransfers,
  };
}
