import {attend, attendingPairs, logits, type AttentionPart} from './attention-layers.js';
import {noTransfers, type ElementSizes, type LayerCost} from './layer-cost.js';

/** The logarithm of each row's sum is kept in fp32, whatever the tensors' precision. */
const logSumBytes = 4;

/**
 * Returns attention in one kernel that never writes the weights, in place of logits, softmax, dropout and attend.
 *
 * Forward has the operations of these four layers. Backward computes the logits and the softmax again: five products
 * for the two of forward. Bytes are the least possible: queries, keys, values, output and the rows' logarithms once
 * each. Keys and values that are read again for another block of queries are assumed to be in the L2 cache.
 *
 * @see Dao et al. 2022, FlashAttention, arXiv:2205.14135, algorithms 1 and 4; Dao 2023, arXiv:2307.08691, section 3
 */
export function flashAttention(part: AttentionPart, hasDropout: boolean, sizes: ElementSizes): LayerCost {
  const {batch, length, heads, keyValueHeads, headWidth} = part;
  const {elementBytes} = sizes;
  const values = batch * heads * attendingPairs(part);
  const rows = batch * heads * length;
  const dropped = hasDropout ? values : 0;
  const first = logits(part, sizes);
  const last = attend(part, sizes);
  const queryBytes = batch * length * headWidth * heads * elementBytes;
  const keyValueBytes = 2 * batch * length * headWidth * keyValueHeads * elementBytes;
  const logBytes = rows * logSumBytes;
  const bufferBytes = 2 * queryBytes + keyValueBytes + logBytes;
  // The output's gradient is read; the gradients of queries, keys and values are written.
  const activationGradientBytes = 2 * queryBytes + keyValueBytes;
  return {
    name: 'flash_attention',
    forwardFlops: {
      matrix: first.forwardFlops.matrix + last.forwardFlops.matrix,
      vector: 3 * values - rows + dropped,
    },
    backwardFlops: {
      matrix: first.forwardFlops.matrix + first.backwardFlops.matrix + last.backwardFlops.matrix,
      vector: 3 * values - rows + (4 * values - rows) + 2 * dropped,
    },
    inputBytes: queryBytes,
    otherInputBytes: keyValueBytes,
    outputBytes: queryBytes + logBytes,
    bufferBytes,
    weightBytes: 0,
    activationGradientBytes,
    forwardBytes: queryBytes + keyValueBytes + queryBytes + logBytes,
    backwardBytes: activationGradientBytes + bufferBytes,
    ...noTransfers,
  };
}
