import {backwardUnmatched, siteFlag} from '../attribution/credit.js';
import {modelPresets} from '../estimate/model-presets.js';
import type {ModelShape} from '../estimate/model-shape.js';
import type {System} from '../estimate/system.js';
import {attributionOf} from '../scope/attribution-of.js';
import type {OperatorInputs} from '../figures/operator-inputs.js';
import type {ReportInput} from '../figures/report-input.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {WorkingOperator} from './costed-operators.js';
import {matchLayers} from './model-layers.js';
import {productSizesOf} from './product-costs.js';
import {shapeText} from './roofline-points.js';
import {rooflineNs} from './roofs.js';

/** A layer of a model, predicted and measured; several layers if shapes cannot tell them apart. */
export interface LayerComparison {
  readonly layers: readonly string[];
  readonly pass: 'forward' | 'backward';
  readonly operator: string;
  readonly shape: string;
  readonly count: number;
  /** The least time of one operator on the roofs, ns; null if the GPU is unknown. */
  readonly predictedNs: number | null;
  /** Mean GPU work of one operator, ns. */
  readonly measuredNs: number;
  /** GPU work of all of them together. */
  readonly gpuWorkNs: number;
  /** Row of `slices` of the first operator. */
  readonly slice: number;
}

type Growing = {-readonly [K in keyof LayerComparison]: LayerComparison[K]};

/**
 * Returns the operators of a profile that have the shapes of a model's layers, those with the most GPU work first. Each
 * row is one operator with one shape in one pass; the prediction is for its own shape, including its tokens.
 *
 * @see docs/metrics.md#roofline-layers
 */
export function compareLayers(
  input: ReportInput,
  operators: readonly WorkingOperator[],
  shape: ModelShape,
  system: System | null,
): LayerComparison[] {
  const {slices, strings} = input.trace;
  const isBackward = backwardTest(input);
  const rows = new Map<string, Growing>();
  for (const operator of operators) {
    const {cost, inputs, gpuWorkNs, operation, slice} = operator;
    if (!cost || !inputs) continue;
    const name = strings.get(slices.name[slice]);
    const matched = matchLayers(shape, name, inputs, isBackward(operation));
    if (!matched) continue;
    const text = shapeText(operator);
    const row = getOrAdd(rows, JSON.stringify([matched.pass, name, text, cost.precision]), () => ({
      ...matched,
      operator: name,
      shape: text,
      count: 0,
      predictedNs: system && rooflineNs(cost.flops, cost.bytes, cost.precision, system),
      measuredNs: 0,
      gpuWorkNs: 0,
      slice,
    }));
    row.count++;
    row.gpuWorkNs += gpuWorkNs;
    row.measuredNs = row.gpuWorkNs / row.count;
  }
  return [...rows.values()].sort((a, b) => b.gpuWorkNs - a.gpuWorkNs || a.slice - b.slice);
}

/**
 * Returns the names of the presets for which all four weights of a layer were seen, and for models with experts also
 * the router's. The user may choose one; none is chosen automatically.
 */
export function matchingModels(input: ReportInput, operators: readonly WorkingOperator[]): string[] {
  const {slices, strings} = input.trace;
  return modelPresets
    .filter(({shape}) => {
      const seen = new Set<string>();
      for (const {slice, inputs} of operators) {
        const name = strings.get(slices.name[slice]);
        if (inputs && isRouter(shape, name, inputs)) seen.add('router');
        const matched = inputs && matchLayers(shape, name, inputs, false);
        for (const layer of matched?.layers ?? []) seen.add(layer.replace(/ .*/, ''));
      }
      const layers = ['qkv_proj', 'v_proj', 'fc1', 'fc2', ...(shape.experts > 0 ? ['router'] : [])];
      return layers.every(layer => seen.has(layer));
    })
    .map(({id}) => id);
}

/**
 * Returns whether an operator multiplies by the weight that chooses experts: all other shapes also occur in models
 * without experts.
 */
function isRouter({embedding, experts}: ModelShape, name: string, inputs: OperatorInputs): boolean {
  const sizes = experts > 0 ? productSizesOf(name, inputs) : null;
  return sizes?.k === embedding && sizes.n === experts;
}

/**
 * Returns a test of whether autograd launched an operation, for a forward operator or for one that is not in the
 * profile.
 */
export function backwardTest({trace}: ReportInput): (operation: number) => boolean {
  const {sites, credit} = attributionOf(trace);
  return operation => {
    const site = sites.siteOf[operation];
    if (site < 0) return false;
    const isMatched = (credit.flags[site] & (siteFlag.backward | siteFlag.recompute)) === siteFlag.backward;
    return isMatched || credit.range[site] === backwardUnmatched;
  };
}
