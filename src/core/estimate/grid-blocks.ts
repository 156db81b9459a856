import {coreAttention, firstColumns, innerLayers, norm} from './block-parts.js';
import {cubeLinear, summaLinear, type Side} from './grid-linear.js';
import {withTransfers, type ElementSizes, type LayerCost} from './layer-cost.js';
import type {Product} from './linear.js';
import type {ModelShape} from './model-shape.js';
import type {GridParallelism} from './parallelism.js';
import {dropout} from './vector-layers.js';

/** The distribution of tensors over GPUs between two products: tokens in `rowParts`, widths in `side.size` parts. */
interface Layout {
  readonly rowParts: number;
  readonly side: Side;
}

/**
 * A grid as seen by the blocks: how its products run, and how tensors are distributed before the first and after it.
 */
interface Grid {
  readonly outer: Layout;
  readonly between: Layout;
  readonly first: (name: string, product: Product, sizes: ElementSizes) => LayerCost;
  readonly second: (name: string, product: Product, sizes: ElementSizes) => LayerCost;
}

/** GPUs are numbered along columns first, then rows, then depth (or the inner side). */
function gridOf(parallelism: GridParallelism): Grid {
  const columns = {size: parallelism.columns, stride: 1};
  const rows = {size: parallelism.rows, stride: columns.size};
  const stride = rows.size * columns.size;
  if (parallelism.kind !== '3D') {
    const depth = {size: parallelism.depth, stride};
    const product: Grid['first'] = (name, given, sizes) => summaLinear(name, given, rows, columns, depth, sizes);
    const layout = {rowParts: rows.size * depth.size, side: columns};
    return {outer: layout, between: layout, first: product, second: product};
  }
  const inner = {size: parallelism.inner, stride};
  // What was scattered along the inner side is the input of the next product, for which columns and inner side are
  // exchanged.
  return {
    outer: {rowParts: rows.size * columns.size, side: inner},
    between: {rowParts: rows.size * inner.size, side: columns},
    first: (name, given, sizes) => cubeLinear(name, given, rows, columns, inner, sizes),
    second: (name, given, sizes) => cubeLinear(name, given, rows, inner, columns, sizes),
  };
}

/** Returns the MLP on a grid or cube of GPUs. */
export function gridMlp(shape: ModelShape, parallelism: GridParallelism, sizes: ElementSizes): LayerCost[] {
  const {batch, length, embedding, hidden, hasBias, hasDropout} = shape;
  const {outer, between, first, second} = gridOf(parallelism);
  const rows = batch * length;
  const inside = (rows * hidden) / (between.rowParts * between.side.size);
  return [
    first('fc1', {rows, inner: embedding, columns: firstColumns(shape), hasBias}, sizes),
    ...innerLayers(shape, inside, sizes),
    second('fc2', {rows, inner: hidden, columns: embedding, hasBias}, sizes),
    ...(hasDropout ? [dropout('dpr2', (rows * embedding) / (outer.rowParts * outer.side.size), sizes)] : []),
  ];
}

/**
 * Returns self-attention on a grid or cube: each GPU has some sequences and some heads, so nothing is sent between
 * products.
 */
export function gridAttention(shape: ModelShape, parallelism: GridParallelism, sizes: ElementSizes): LayerCost[] {
  const {batch, length, embedding, heads, keyValueHeads, headWidth, hasBias, hasDropout, isCausal} = shape;
  const {outer, between, first, second} = gridOf(parallelism);
  const rows = batch * length;
  const part = {
    batch: batch / between.rowParts,
    length,
    heads: heads / between.side.size,
    keyValueHeads: keyValueHeads / between.side.size,
    headWidth,
    isCausal,
  };
  const columns = (heads + 2 * keyValueHeads) * headWidth;
  const ends = (rows * embedding) / (outer.rowParts * outer.side.size);
  return [
    gridNorm('layer_norm_1', shape, outer, sizes),
    first('qkv_proj', {rows, inner: embedding, columns, hasBias: false}, sizes),
    ...coreAttention(shape, part, sizes),
    second('v_proj', {rows, inner: heads * headWidth, columns: embedding, hasBias}, sizes),
    ...(hasDropout ? [dropout('dropout', ends, sizes)] : []),
    gridNorm('layer_norm_2', shape, outer, sizes),
  ];
}

/**
 * Returns a norm of tokens whose width is split: the sums of each token (two in a layer norm, one in RMSNorm; as many
 * in backward) are added up over the side.
 *
 * @see Xu et al. 2021, arXiv:2104.05343, section 3.2.2
 */
function gridNorm(name: string, shape: ModelShape, {rowParts, side}: Layout, sizes: ElementSizes): LayerCost {
  const rows = (shape.batch * shape.length) / rowParts;
  const sums = rows * (shape.norm === 'rms-norm' ? 1 : 2);
  const transfer = {
    collective: 'allreduce' as const,
    bytes: 2 * sums * sizes.elementBytes * ((side.size - 1) / side.size),
    groupSize: side.size,
    spanSize: side.size * side.stride,
  };
  return withTransfers(norm(name, shape, rows, shape.embedding / side.size, sizes), [transfer], [transfer]);
}
