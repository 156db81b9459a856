import {EstimateError} from './estimate-error.js';
import type {ModelShape} from './model-shape.js';
import {checkWhole} from './whole-number.js';

/**
 * How a layer is split over GPUs.
 *
 * - `1D`: tensor parallel over `tensor` GPUs, with norms and the last dropout split over `sequence`, and experts over
 *   `expert` groups of such GPUs. @see Shoeybi et al. 2019, arXiv:1909.08053; Korthikanti et al. 2022, arXiv:2205.05198
 * - `2D`: a grid of `rows × columns`, products by SUMMA. @see Xu et al. 2021, arXiv:2104.05343 (Optimus)
 * - `2.5D`: `depth` such grids, each with a part of the tokens. @see Wang et al. 2021, arXiv:2105.14500 (Tesseract)
 * - `3D`: a cube of `rows × columns × inner`. @see Bian et al. 2021, arXiv:2105.14450
 */
export type Parallelism =
  | {readonly kind: '1D'; readonly tensor: number; readonly sequence: number; readonly expert: number}
  | {readonly kind: '2D' | '2.5D'; readonly rows: number; readonly columns: number; readonly depth: number}
  | {readonly kind: '3D'; readonly rows: number; readonly columns: number; readonly inner: number};

export type LineParallelism = Extract<Parallelism, {kind: '1D'}>;
export type GridParallelism = Exclude<Parallelism, {kind: '1D'}>;

export const oneGpu: LineParallelism = {kind: '1D', tensor: 1, sequence: 1, expert: 1};

/** Returns the number of GPUs that hold one copy of the model. */
export function gpuCount(parallelism: Parallelism): number {
  switch (parallelism.kind) {
    case '1D':
      return parallelism.tensor * parallelism.expert;
    case '2D':
    case '2.5D':
      return parallelism.rows * parallelism.columns * parallelism.depth;
    case '3D':
      return parallelism.rows * parallelism.columns * parallelism.inner;
  }
}

/** More than any installation has. */
const mostDevices = 2 ** 20;

/** @throws EstimateError if the model cannot be split this way */
export function checkParallelism(parallelism: Parallelism, shape: ModelShape): void {
  for (const [name, value] of Object.entries(parallelism)) {
    if (name !== 'kind') checkWhole(`The parallelism’s ${name}`, value, 1, mostDevices);
  }
  if (parallelism.kind === '1D') checkLine(parallelism, shape);
  else checkGrid(parallelism, shape);
}

function checkLine({tensor, sequence, expert}: LineParallelism, shape: ModelShape): void {
  mustDivide('tensor parallelism', tensor, shape, ['hidden', 'heads']);
  const {keyValueHeads} = shape;
  if (keyValueHeads % tensor !== 0 && tensor % keyValueHeads !== 0)
    throw new EstimateError(
      `keyValueHeads (${String(keyValueHeads)}) and tensor parallelism (${String(tensor)}) must be multiples of one another.`,
    );
  mustDivide('sequence parallelism', sequence, shape, ['length']);
  if (expert > 1 && shape.expertLayers === 0)
    throw new EstimateError('Expert parallelism needs a model with expertLayers.');
  if (shape.expertLayers > 0) mustDivide('expert parallelism', expert, shape, ['experts']);
}

function checkGrid(parallelism: GridParallelism, shape: ModelShape): void {
  if (shape.expertLayers > 0)
    throw new EstimateError('Experts are estimated with 1D parallelism: give tensor and expert degrees instead.');
  const {kind, rows, columns} = parallelism;
  const across = kind === '3D' ? parallelism.inner : parallelism.depth;
  const widths = ['embedding', 'hidden', 'heads', 'keyValueHeads'] as const;
  if (kind === '3D') {
    mustDivide('the cube’s columns', columns, shape, widths);
    mustDivide('the cube’s inner side', across, shape, ['embedding', 'hidden']);
    // Between products, rows are also split over the side along which the last product was summed.
    mustDivide('rows × inner side of the cube', rows * across, shape, ['batch']);
    mustDivide('rows × columns of the cube', rows * columns, shape, ['batch']);
    return;
  }
  mustDivide('the grid’s columns', columns, shape, widths);
  mustDivide('the grid’s rows × depth', rows * across, shape, ['batch']);
  mustDivide('the grid’s rows', rows, shape, ['embedding', 'hidden']);
}

function mustDivide(what: string, degree: number, shape: ModelShape, names: readonly (keyof ModelShape)[]): void {
  for (const name of names) {
    if (Number(shape[name]) % degree !== 0)
      throw new EstimateError(`${name} (${String(shape[name])}) must be a multiple of ${what} (${String(degree)}).`);
  }
}
