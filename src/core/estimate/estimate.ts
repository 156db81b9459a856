import type {Variant} from './block-parts.js';
import {EstimateError} from './estimate-error.js';
import {expertBlock} from './expert-block.js';
import {gridAttention, gridMlp} from './grid-blocks.js';
import {allFlops, type ElementSizes, type LayerCost} from './layer-cost.js';
import {layerTime, type LayerTime} from './layer-times.js';
import {lineAttention, lineMlp} from './line-blocks.js';
import {checkShape, type ModelShape} from './model-shape.js';
import {checkParallelism, gpuCount, oneGpu, type Parallelism} from './parallelism.js';
import {precisionBytes, type Precision} from './precision.js';
import {checkSystem, type System} from './system.js';

/** The input of an estimate. */
export interface EstimateInput {
  readonly shape: ModelShape;
  readonly system: System;
  readonly parallelism: Parallelism;
  readonly precision: Precision;
  readonly variant: Variant;
}

export interface EstimatedLayer {
  readonly cost: LayerCost;
  readonly time: LayerTime;
}

/** The parts of a Transformer's layer. */
type BlockName = 'mlp' | 'moe' | 'attention';

/** The figures of a block over all layers that contain it, on one GPU. */
export interface Sums {
  readonly bufferBytes: number;
  readonly weightBytes: number;
  readonly forwardFlops: number;
  readonly backwardFlops: number;
  readonly forwardMs: number;
  readonly backwardMs: number;
  readonly forwardCommunicationMs: number;
  readonly backwardCommunicationMs: number;
}

export interface EstimatedBlock {
  readonly name: BlockName;
  readonly layers: readonly EstimatedLayer[];
  /** The number of the model's layers that contain it. */
  readonly count: number;
  /** For one layer. */
  readonly layerSums: Sums;
  /** For all layers with the block. */
  readonly sums: Sums;
}

export interface Estimate {
  readonly input: EstimateInput;
  readonly gpus: number;
  readonly blocks: readonly EstimatedBlock[];
  readonly total: Sums;
}

/**
 * Returns the cost of all layers of a Transformer on one of the GPUs that share it: operations, bytes, transfers,
 * times. Excludes embeddings, the output projection, the loss and the optimizer.
 *
 * @see docs/estimate.md
 * @throws EstimateError for impossible input
 */
export function estimate(input: EstimateInput): Estimate {
  const {shape, system, parallelism, precision, variant} = input;
  checkSystem(system);
  const blocks = blockCosts({shape, parallelism, precision, variant}).map(({name, count, costs}): EstimatedBlock => {
    const layers = costs.map(cost => ({cost, time: layerTime(cost, system, precision)}));
    const layerSums = sumsOf(layers);
    return {name, layers, count, layerSums, sums: mapSums(key => layerSums[key] * count)};
  });
  return {input, gpus: gpuCount(parallelism), blocks, total: addSums(blocks.map(({sums}) => sums))};
}

/**
 * Returns the bytes that all layers keep from forward to backward on one GPU with the whole model.
 *
 * @throws EstimateError
 */
export function keptBytes(shape: ModelShape, precision: Precision): number {
  const blocks = blockCosts({shape, parallelism: oneGpu, precision, variant: 'corrected'});
  return blocks.reduce(
    (total, {count, costs}) => total + count * costs.reduce((sum, {bufferBytes}) => sum + bufferBytes, 0),
    0,
  );
}

/**
 * Returns the costs of the layers of each block, and how many layers contain it; these need no system.
 *
 * @throws EstimateError
 */
function blockCosts({shape, parallelism, precision, variant}: Omit<EstimateInput, 'system'>): {
  readonly name: BlockName;
  readonly count: number;
  readonly costs: readonly LayerCost[];
}[] {
  checkShape(shape);
  checkParallelism(parallelism, shape);
  if (variant === 'printed') checkPrinted(shape, parallelism);
  const sizes = {elementBytes: precisionBytes[precision], maskBytes: 1};
  const block = (name: BlockName, count: number, costs: () => LayerCost[]) =>
    count === 0 ? [] : [{name, count, costs: costs()}];
  const {depth, expertLayers} = shape;
  return [
    ...block('mlp', depth - expertLayers, () => mlpLayers(shape, parallelism, sizes, variant)),
    ...block('moe', expertLayers, () => expertLayersOf(shape, parallelism, sizes)),
    ...block('attention', depth, () => attentionLayers(shape, parallelism, sizes, variant)),
  ];
}

/** Returns the share of a pass that is spent in communication; 0 if nothing takes time. */
export function communicationFraction(communicationMs: number, totalMs: number): number {
  return totalMs === 0 ? 0 : communicationMs / totalMs;
}

function mlpLayers(shape: ModelShape, parallelism: Parallelism, sizes: ElementSizes, variant: Variant): LayerCost[] {
  return parallelism.kind === '1D' ? lineMlp(shape, parallelism, sizes, variant) : gridMlp(shape, parallelism, sizes);
}

function expertLayersOf(shape: ModelShape, parallelism: Parallelism, sizes: ElementSizes): LayerCost[] {
  return parallelism.kind === '1D' ? expertBlock(shape, parallelism, sizes) : [];
}

function attentionLayers(
  shape: ModelShape,
  parallelism: Parallelism,
  sizes: ElementSizes,
  variant: Variant,
): LayerCost[] {
  return parallelism.kind === '1D'
    ? lineAttention(shape, parallelism, sizes, variant)
    : gridAttention(shape, parallelism, sizes);
}

/** The printed notebook supports only plain layers and one degree of 1D parallelism. */
function checkPrinted(shape: ModelShape, parallelism: Parallelism): void {
  const isPlain =
    shape.norm === 'layer-norm' &&
    shape.mlp === 'plain' &&
    shape.attention === 'plain' &&
    !shape.isCausal &&
    shape.hasBias &&
    shape.hasDropout &&
    shape.keyValueHeads === shape.heads &&
    shape.headWidth * shape.heads === shape.embedding &&
    shape.expertLayers === 0;
  if (!isPlain || parallelism.kind !== '1D' || parallelism.tensor !== parallelism.sequence)
    throw new EstimateError(
      'The variant printed knows plain layers and 1D parallelism alone, with sequences split like tensors: leave it out.',
    );
}

function sumsOf(layers: readonly EstimatedLayer[]): Sums {
  const values: Readonly<Record<keyof Sums, (layer: EstimatedLayer) => number>> = {
    bufferBytes: ({cost}) => cost.bufferBytes,
    weightBytes: ({cost}) => cost.weightBytes,
    forwardFlops: ({cost}) => allFlops(cost.forwardFlops),
    backwardFlops: ({cost}) => allFlops(cost.backwardFlops),
    forwardMs: ({time}) => time.forward.totalMs,
    backwardMs: ({time}) => time.backward.totalMs,
    forwardCommunicationMs: ({time}) => time.forward.communicationMs,
    backwardCommunicationMs: ({time}) => time.backward.communicationMs,
  };
  return mapSums(key => layers.reduce((total, layer) => total + values[key](layer), 0));
}

function addSums(all: readonly Sums[]): Sums {
  return mapSums(key => all.reduce((total, sums) => total + sums[key], 0));
}

const sumNames = [
  'bufferBytes',
  'weightBytes',
  'forwardFlops',
  'backwardFlops',
  'forwardMs',
  'backwardMs',
  'forwardCommunicationMs',
  'backwardCommunicationMs',
] as const satisfies readonly (keyof Sums)[];

function mapSums(value: (key: keyof Sums) => number): Sums {
  return Object.fromEntries(sumNames.map(name => [name, value(name)])) as unknown as Sums;
}
