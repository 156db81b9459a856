import {coreAttention, firstColumns, innerLayers, norm, type Variant} from './block-parts.js';
import {withAdditions, withTransfers, type ElementSizes, type LayerCost, type Transfer} from './layer-cost.js';
import {linear} from './linear.js';
import type {ModelShape} from './model-shape.js';
import type {LineParallelism} from './parallelism.js';
import {dropout} from './vector-layers.js';

/** The collectives around the layers of a block, and the additions of the reductions. */
export interface LineTransfers {
  /** Partial sums of tokens, summed over the tensor-parallel GPUs. */
  readonly reduce: readonly Transfer[];
  /** Tokens split over the sequence-parallel GPUs. */
  readonly gather: readonly Transfer[];
  readonly additions: number;
}

/**
 * Returns what 1D parallelism sends for `b·l` tokens.
 *
 * With sequence parallelism, tokens are gathered before a product and reduced and scattered after it, each (m − 1)/m of
 * all tokens. Without it, one all-reduce does both. The variant `printed` counts all tokens, and no additions.
 */
export function lineTransfers(
  {batch, length, embedding}: ModelShape,
  {tensor, sequence}: LineParallelism,
  {elementBytes}: ElementSizes,
  variant: Variant,
): LineTransfers {
  const elements = batch * length * embedding;
  const part = (size: number) => (variant === 'printed' ? 1 : (size - 1) / size);
  const transfer = (collective: Transfer['collective'], size: number, times: number): Transfer => ({
    collective,
    bytes: times * elements * part(size) * elementBytes,
    groupSize: size,
    spanSize: size,
  });
  const isSplit = sequence > 1 || variant === 'printed';
  return {
    reduce: [isSplit ? transfer('reducescatter', tensor, 1) : transfer('allreduce', tensor, 2)],
    gather: [transfer('allgather', sequence, 1)],
    additions: variant === 'printed' ? 0 : elements * ((tensor - 1) / tensor),
  };
}

/** Returns the MLP: two products with the activation in between. @see docs/estimate.md#parallelism */
export function lineMlp(
  shape: ModelShape,
  parallelism: LineParallelism,
  sizes: ElementSizes,
  variant: Variant,
): LayerCost[] {
  const {batch, length, embedding, hidden, hasBias, hasDropout} = shape;
  const {tensor, sequence} = parallelism;
  const {reduce, gather, additions} = lineTransfers(shape, parallelism, sizes, variant);
  const rows = batch * length;
  const first = {rows, inner: embedding, columns: firstColumns(shape) / tensor, hasBias};
  const second = {rows, inner: hidden / tensor, columns: embedding, hasBias};
  const fc2 = withAdditions(linear('fc2', second, sizes), additions, 0);
  return [
    withAdditions(withTransfers(linear('fc1', first, sizes), [], reduce), 0, additions),
    ...innerLayers(shape, (rows * hidden) / tensor, sizes),
    ...(hasDropout
      ? [withTransfers(fc2, reduce), withTransfers(dropout('dpr2', (rows / sequence) * embedding, sizes), [], gather)]
      : [withTransfers(fc2, reduce, gather)]),
  ];
}

/** Returns self-attention, with the norm before it and the one after it (the MLP's), as in the notebook. */
export function lineAttention(
  shape: ModelShape,
  parallelism: LineParallelism,
  sizes: ElementSizes,
  variant: Variant,
): LayerCost[] {
  const {batch, length, embedding, heads, keyValueHeads, headWidth, hasBias, hasDropout, isCausal} = shape;
  const {tensor, sequence} = parallelism;
  const {reduce, gather, additions} = lineTransfers(shape, parallelism, sizes, variant);
  const rows = batch * length;
  const normRows = rows / sequence;
  // If there are fewer heads of keys and values than GPUs, several GPUs hold the same head.
  const keyValues = Math.max(keyValueHeads / tensor, 1);
  const part = {batch, length, heads: heads / tensor, keyValueHeads: keyValues, headWidth, isCausal};
  const columns = (part.heads + 2 * keyValues) * headWidth;
  const projection = linear('qkv_proj', {rows, inner: embedding, columns, hasBias: false}, sizes);
  const output = {rows, inner: part.heads * headWidth, columns: embedding, hasBias};
  const last = withAdditions(linear('v_proj', output, sizes), additions, 0);
  return [
    withTransfers(norm('layer_norm_1', shape, normRows, embedding, sizes), gather),
    withAdditions(withTransfers(projection, [], reduce), 0, additions),
    ...coreAttention(shape, part, sizes),
    ...(hasDropout
      ? [withTransfers(last, reduce), withTransfers(dropout('dropout', normRows * embedding, sizes), [], gather)]
      : [withTransfers(last, reduce, gather)]),
    withTransfers(norm('layer_norm_2', shape, normRows, embedding, sizes), gather),
  ];
}
