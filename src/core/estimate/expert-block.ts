import {firstColumns, innerLayers} from './block-parts.js';
import {withAdditions, withTransfers, type ElementSizes, type LayerCost, type Transfer} from './layer-cost.js';
import {lineTransfers} from './line-blocks.js';
import {linear} from './linear.js';
import type {ModelShape} from './model-shape.js';
import type {LineParallelism} from './parallelism.js';
import {dropout, permute, softmax, weightedSum} from './vector-layers.js';

/**
 * Returns a layer of experts, in place of the MLP. A router chooses `k` of `E` experts for each token. An all-to-all
 * brings tokens to the GPUs of their experts, and a second one brings the results back, which are summed with the
 * router's weights. Tokens are assumed to spread evenly, without a capacity that drops some.
 *
 * Each of the `expert` groups has its own tokens and `E / expert` experts, so each multiplies `k` times its own tokens.
 * Tensor parallelism splits each expert like the MLP; each of its GPUs sends and receives whole tokens.
 *
 * @see Lepikhin et al. 2020, GShard, arXiv:2006.16668, section 3; Fedus et al. 2021, arXiv:2101.03961, section 5.5
 */
export function expertBlock(shape: ModelShape, parallelism: LineParallelism, sizes: ElementSizes): LayerCost[] {
  const {batch, length, embedding, hidden, hasBias, hasDropout, experts, expertsPerToken} = shape;
  const {tensor, sequence, expert} = parallelism;
  const {reduce, gather, additions} = lineTransfers(shape, parallelism, sizes, 'corrected');
  const rows = batch * length;
  const copies = rows * expertsPerToken;
  const weights = experts / expert;
  const exchange: Transfer = {
    collective: 'alltoall',
    bytes: copies * embedding * sizes.elementBytes * ((expert - 1) / expert),
    groupSize: expert,
    spanSize: tensor * expert,
  };
  const first = {rows: copies, inner: embedding, columns: firstColumns(shape) / tensor, hasBias, weights};
  const second = {rows: copies, inner: hidden / tensor, columns: embedding, hasBias, weights};
  const combine = withAdditions(weightedSum('combine', rows, expertsPerToken, embedding, sizes), additions, 0);
  const dispatch = withAdditions(permute('dispatch', rows, expertsPerToken, embedding, sizes), 0, additions);
  return [
    linear('router', {rows, inner: embedding, columns: experts, hasBias: false}, sizes),
    softmax('router_softmax', rows, rows * experts, rows * experts, sizes),
    withTransfers(dispatch, [exchange], [exchange, ...reduce]),
    linear('fc1', first, sizes),
    ...innerLayers(shape, (copies * hidden) / tensor, sizes),
    linear('fc2', second, sizes),
    ...(hasDropout
      ? [
          withTransfers(combine, [exchange, ...reduce], [exchange]),
          withTransfers(dropout('dpr2', (rows / sequence) * embedding, sizes), [], gather),
        ]
      : [withTransfers(combine, [exchange, ...reduce], [exchange, ...gather])]),
  ];
}
