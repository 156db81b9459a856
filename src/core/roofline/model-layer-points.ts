import {precisionBytes, type Precision} from '../estimate/precision.js';
import type {ModelShape} from '../estimate/model-shape.js';
import type {System} from '../estimate/system.js';
import type {ReportInput} from '../figures/report-input.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {WorkingOperator} from './costed-operators.js';
import {backwardTest} from './layer-comparison.js';
import {matchLayers} from './model-layers.js';
import {modelOperator, type ModelOperator, type PassCost} from './model-operator-costs.js';
import {tensorsOf} from '../figures/operator-inputs.js';
import {shapeText, type RooflinePoint} from './roofline-points.js';
import {rooflineNs} from './roofs.js';

/** The operators of a point. */
interface Group {
  readonly layers: Set<string>;
  readonly pass: 'forward' | 'backward';
  readonly shape: string;
  readonly precision: Precision | null;
  readonly slice: number;
  gpuWorkNs: number;
  /** The model's costs, one for each time that the layer ran. */
  readonly costs: PassCost[];
  /** Products of a backward pass. The model counts the two products of a weight as one layer. */
  inputGradients: number;
  weightGradients: number;
}

/**
 * Returns points of a model's layers. Operations and bytes are the model's, for as many tokens as the operators with
 * the layers' shapes received; the time is the operators'. Layers that shapes cannot tell apart share a point.
 *
 * In the model, a linear layer's backward pass covers two products, so it becomes a point only if each input's gradient
 * has a matching weight's gradient.
 *
 * @see docs/metrics.md#roofline-layers
 */
export function modelLayerPoints(
  input: ReportInput,
  operators: readonly WorkingOperator[],
  shape: ModelShape,
  system: System,
): RooflinePoint[] {
  const isBackward = backwardTest(input);
  const groups = new Map<string, Group>();
  for (const operator of operators) {
    const found = layerOf(input, operator, shape, isBackward(operator.operation));
    if (!found) continue;
    const {layers, pass, part} = found;
    const precision = operator.cost?.precision ?? null;
    const key = part.weight === null ? [layers, shapeText(operator)] : [part.weight];
    const group = getOrAdd(groups, JSON.stringify([pass, precision, ...key]), () => ({
      layers: new Set<string>(),
      pass,
      shape: shapeText(operator),
      precision,
      slice: operator.slice,
      gpuWorkNs: 0,
      costs: [],
      inputGradients: 0,
      weightGradients: 0,
    }));
    group.gpuWorkNs += operator.gpuWorkNs;
    if (part.part === 'input-gradient') group.inputGradients++;
    if (part.part === 'weight-gradient') group.weightGradients++;
    if (!part.cost) continue;
    group.costs.push(part.cost);
    for (const layer of layers) group.layers.add(layer);
  }
  return [...groups.values()].flatMap(group => pointOf(group, system)).sort((a, b) => b.gpuWorkNs - a.gpuWorkNs);
}

function layerOf(
  {trace: {slices, strings}}: ReportInput,
  {inputs, cost, slice}: WorkingOperator,
  shape: ModelShape,
  isBackward: boolean,
): {layers: readonly string[]; pass: Group['pass']; part: ModelOperator} | null {
  if (!inputs || !cost) return null;
  const name = strings.get(slices.name[slice]);
  const matched = matchLayers(shape, name, inputs, isBackward);
  if (!matched) return null;
  const elementBytes = cost.precision ? precisionBytes[cost.precision] : (tensorsOf(inputs).at(0)?.elementBytes ?? 4);
  const part = modelOperator(shape, name, inputs, matched, {elementBytes, maskBytes: 1});
  return part && {...matched, part};
}

function pointOf(group: Group, system: System): RooflinePoint[] {
  const {layers, pass, costs, gpuWorkNs, inputGradients, weightGradients, shape, precision, slice} = group;
  if (costs.length === 0 || inputGradients !== weightGradients || gpuWorkNs === 0) return [];
  const sum = (of: (cost: PassCost) => number) => costs.reduce((all, cost) => all + of(cost), 0);
  const predicted = costs.map(({flops, bytes}) => rooflineNs(flops, bytes, precision, system));
  return [
    {
      name: `${[...layers].join(' or ')} (${pass})`,
      shape,
      precision,
      count: costs.length,
      matrixFlops: sum(({flops}) => flops.matrix),
      vectorFlops: sum(({flops}) => flops.vector),
      bytes: sum(({bytes}) => bytes),
      gpuWorkNs,
      unknownGpuWorkNs: 0,
      predictedNs: predicted.reduce((all, ns) => (all === null || ns === null ? null : all + ns), 0),
      slice,
    },
  ];
}
