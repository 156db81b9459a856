import {flagOf, numberOf, objectOf, present, wordOf} from './config-values.js';
import {keptBytes} from './estimate.js';
import {layerWeights, type ModelShape} from './model-shape.js';
import {precisionBytes, precisions, type Precision} from './precision.js';
import {checkWhole} from './whole-number.js';

/** The number of values that an optimizer of PyTorch keeps for each weight on its device. */
const statesPerWeight = {none: 0, sgd: 0, momentum: 1, adam: 2} as const;
export const optimizers = ['adam', 'momentum', 'sgd', 'none'] as const;
type Optimizer = (typeof optimizers)[number];

/** A model, and the precision of its activations. */
export interface TrainedModel {
  readonly shape: ModelShape;
  readonly precision: Precision;
}

/** What the memory of training depends on besides the layers. */
export interface TrainingSetup {
  /** Number of tokens with an embedding; 0 excludes embeddings, the output and the loss. */
  readonly vocabulary: number;
  /** Whether the output uses the embedding's matrix. */
  readonly isTied: boolean;
  /**
   * The precision of weights, gradients and the optimizer's state: fp32 under autocast; null for the activations'
   * precision.
   */
  readonly weightPrecision: Precision | null;
  readonly optimizer: Optimizer;
}

export const usualTraining: TrainingSetup = {vocabulary: 0, isTied: false, weightPrecision: null, optimizer: 'adam'};

/** Memory of training on one GPU with the whole model, in bytes: computed by formula, not measured. */
export interface TrainingMemory {
  readonly weights: number;
  readonly parameterBytes: number;
  readonly gradientBytes: number;
  readonly optimizerBytes: number;
  /** What forward keeps for backward, at the end of forward. */
  readonly activationBytes: number;
}

/** Reads the training setup from flags or a file; absent values have defaults. @throws EstimateError */
export function trainingSetup(value: unknown): TrainingSetup {
  const place = 'The training';
  const values = objectOf(value, place, ['vocabulary', 'isTied', 'weightPrecision', 'optimizer']);
  const setup: TrainingSetup = {
    ...usualTraining,
    ...present<TrainingSetup>({
      vocabulary: numberOf(values, 'vocabulary', place),
      isTied: flagOf(values, 'isTied', place),
      weightPrecision: wordOf(values, 'weightPrecision', place, precisions),
      optimizer: wordOf(values, 'optimizer', place, optimizers),
    }),
  };
  checkWhole('vocabulary', setup.vocabulary, 0, 2 ** 32);
  return setup;
}

/**
 * Returns the parameters, gradients, optimizer state and kept activations of a Transformer.
 *
 * @see docs/estimate.md#memory
 * @throws EstimateError for impossible input
 */
export function trainingMemory(model: TrainedModel, setup: TrainingSetup): TrainingMemory {
  const {shape, precision} = model;
  const layerBytes = keptBytes(shape, precision);
  const weights = layerWeights(shape) + headWeights(shape, setup);
  const weightBytes = precisionBytes[setup.weightPrecision ?? precision];
  const parameterBytes = weights * weightBytes;
  return {
    weights,
    parameterBytes,
    gradientBytes: parameterBytes,
    optimizerBytes: statesPerWeight[setup.optimizer] * parameterBytes,
    activationBytes: layerBytes - sharedBytes(model) + headActivations(model, setup, weightBytes),
  };
}

/** Returns the weights outside the layers: embedding, last norm, output. */
function headWeights(shape: ModelShape, {vocabulary, isTied}: TrainingSetup): number {
  if (vocabulary === 0) return 0;
  const norm = (shape.norm === 'layer-norm' ? 2 : 1) * shape.embedding;
  return (isTied ? 1 : 2) * vocabulary * shape.embedding + norm;
}

/**
 * Returns the bytes that the cost model counts twice: without dropout, the softmax's result is also the input of
 * attend, and is kept once.
 */
function sharedBytes({shape, precision}: TrainedModel): number {
  const {attention, hasDropout, batch, heads, length, depth} = shape;
  if (attention === 'flash' || hasDropout) return 0;
  return depth * batch * heads * length * length * precisionBytes[precision];
}

/**
 * Returns the inputs of the last norm and of the output, and the loss's log-softmax, which autocast computes in fp32.
 */
function headActivations({shape, precision}: TrainedModel, {vocabulary}: TrainingSetup, lossBytes: number): number {
  if (vocabulary === 0) return 0;
  const tokens = shape.batch * shape.length;
  return tokens * (2 * shape.embedding * precisionBytes[precision] + vocabulary * lossBytes);
}
