import type {ElementSizes, LayerCost, Transfer} from './layer-cost.js';
import {gridLinear, type GridTransfers, type Product} from './linear.js';

/** A group of GPUs along one side of a grid: its size, and the distance of their numbers. */
export interface Side {
  readonly size: number;
  readonly stride: number;
}

/**
 * Returns a transfer of what each GPU receives if `bytes` are spread over a side and every GPU needs all of them, or
 * their sum.
 */
function along(side: Side, collective: Transfer['collective'], bytes: number): Transfer {
  return {
    collective,
    bytes: bytes * ((side.size - 1) / side.size),
    groupSize: side.size,
    spanSize: side.size * side.stride,
  };
}

/** Sizes (bytes, additions) of the three matrices of a product on one GPU after splitting. */
interface Panels {
  readonly input: number;
  readonly weight: number;
  readonly output: number;
}

function panels({rows, inner, columns, hasBias}: Product, cut: {rows: number; inner: number; columns: number}): Panels {
  return {
    input: (rows * inner) / (cut.rows * cut.inner),
    // The bias moves with its weight, as an additional row.
    weight: ((inner / cut.inner + (hasBias ? 1 : 0)) * columns) / cut.columns,
    output: (rows * columns) / (cut.rows * cut.columns),
  };
}

/**
 * Returns a product by SUMMA on a grid of `rows × columns`, or on `depth` of them (2.5D).
 *
 * Forward: blocks of the input are broadcast along the rows of the grid, blocks of the weight along its columns; the
 * output is computed in place. Backward: the input's gradient broadcasts the weight and reduces along rows; the
 * weight's gradient broadcasts the input and reduces along columns. Each GPU receives all blocks of its row (or column)
 * except its own, `(q − 1)/q` of them: only bandwidth, without the log q of a tree of messages. Depth splits the tokens
 * once more, and sums the weight's gradients with an all-reduce.
 *
 * @see van de Geijn and Watts 1997, SUMMA; Xu et al. 2021, arXiv:2104.05343, section 3.1 (2D); Solomonik and Demmel
 *   2011 and Wang et al. 2021, arXiv:2105.14500, section 3 (2.5D)
 */
export function summaLinear(
  name: string,
  product: Product,
  rows: Side,
  columns: Side,
  depth: Side,
  sizes: ElementSizes,
): LayerCost {
  const {elementBytes} = sizes;
  const grid = rows.size * columns.size;
  const row = panels(product, {rows: rows.size * depth.size, inner: 1, columns: columns.size});
  const input = along(columns, 'broadcast', row.input * elementBytes);
  const weight = along(rows, 'broadcast', row.weight * elementBytes);
  const ownWeight = row.weight / rows.size;
  const shared: GridTransfers = {
    forward: [input, weight].filter(isReal),
    backward: [
      weight,
      along(columns, 'reduce', row.input * elementBytes),
      input,
      along(rows, 'reduce', row.weight * elementBytes),
      along(depth, 'allreduce', 2 * ownWeight * elementBytes),
    ].filter(isReal),
    storedParts: grid * depth.size,
    storedWeightParts: grid,
    forwardAdditions: 0,
    backwardAdditions: row.input * part(columns) + row.weight * part(rows) + ownWeight * part(depth),
  };
  // The input's gradient sums over columns of the grid, the weight's over its rows: each GPU computes its part of the
  // sums.
  return gridLinear(name, product, {rows: rows.size * depth.size, columns: columns.size, inner: 1}, sizes, shared);
}

/**
 * Returns a product on a cube of `rows × columns × inner`, where each GPU multiplies one part of each dimension. Input
 * and weight are gathered along the side that does not split them; the output is reduced and scattered along the inner
 * side. Backward gathers the output's gradient once and input and weight again, and scatters both gradients.
 *
 * @see Agarwal et al. 1995, A three-dimensional approach to parallel matrix multiplication; Bian et al. 2021,
 *   arXiv:2105.14450, section 3.1
 */
export function cubeLinear(
  name: string,
  product: Product,
  rows: Side,
  columns: Side,
  inner: Side,
  sizes: ElementSizes,
): LayerCost {
  const {elementBytes} = sizes;
  const cut = {rows: rows.size, columns: columns.size, inner: inner.size};
  const part3 = panels(product, cut);
  const input = part3.input * elementBytes;
  const weight = part3.weight * elementBytes;
  const output = part3.output * elementBytes;
  const gpus = rows.size * columns.size * inner.size;
  const shared: GridTransfers = {
    forward: [
      along(columns, 'allgather', input),
      along(rows, 'allgather', weight),
      along(inner, 'reducescatter', output),
    ].filter(isReal),
    backward: [
      along(inner, 'allgather', output),
      along(rows, 'allgather', weight),
      along(columns, 'reducescatter', input),
      along(columns, 'allgather', input),
      along(rows, 'reducescatter', weight),
    ].filter(isReal),
    storedParts: gpus,
    storedWeightParts: gpus,
    forwardAdditions: part3.output * part(inner),
    backwardAdditions: part3.input * part(columns) + part3.weight * part(rows),
  };
  return gridLinear(name, product, cut, sizes, shared);
}

function part({size}: Side): number {
  return (size - 1) / size;
}

function isReal({groupSize}: Transfer): boolean {
  return groupSize > 1;
}
