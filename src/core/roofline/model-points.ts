import {estimate} from '../estimate/estimate.js';
import {EstimateError} from '../estimate/estimate-error.js';
import {allFlops, type Flops} from '../estimate/layer-cost.js';
import type {ModelShape} from '../estimate/model-shape.js';
import {oneGpu} from '../estimate/parallelism.js';
import type {Precision} from '../estimate/precision.js';
import type {System} from '../estimate/system.js';
import {rangeRows, type RangeRow} from '../figures/range-rows.js';
import type {Selection} from '../scope/selection.js';
import type {Trace} from '../trace/trace.js';
import type {RooflinePoint} from './roofline-points.js';
import {rooflineNs} from './roofs.js';

/** The cost of one instance of a range, according to the cost model. */
interface RangeCost {
  readonly forward: Flops;
  readonly backward: Flops;
  readonly forwardBytes: number;
  readonly backwardBytes: number;
}

/**
 * Returns points for tagged ranges that are named like a layer or a block of the cost model (`fc1`, `softmax`, `mlp`,
 * `attention`; ignoring case), with the model's operations and bytes on one GPU. This is for profiles without shapes,
 * if the user chose a model. Forward and backward work are separate. In a window, on a device or on a stream, only
 * ranges with all their work inside count, because the model's figures cover whole ranges.
 *
 * @see docs/metrics.md#roofline-layers
 */
export function modelPoints(
  trace: Trace,
  shape: ModelShape,
  precision: Precision,
  system: System,
  selection: Selection = {},
): RooflinePoint[] {
  const costs = rangeCosts(shape, precision, system);
  return wholeRanges(trace, selection).flatMap(row => {
    const cost = costs.get(row.name.toLowerCase());
    return cost
      ? [...pointOf(row, 'forward', cost, precision, system), ...pointOf(row, 'backward', cost, precision, system)]
      : [];
  });
}

/** Returns rows of the ranges that a selection contains completely. */
function wholeRanges(trace: Trace, selection: Selection): RangeRow[] {
  const rows = rangeRows(trace, 'name', {selection});
  const {fromNs, toNs, device, stream} = selection;
  if ([fromNs, toNs, device, stream].every(member => member === undefined)) return rows;
  const all = new Map(rangeRows(trace, 'name').map(row => [row.name, row]));
  return rows.filter(({name, count, gpuWorkNs, backwardGpuWorkNs}) => {
    const whole = all.get(name);
    return whole?.count === count && whole.gpuWorkNs === gpuWorkNs && whole.backwardGpuWorkNs === backwardGpuWorkNs;
  });
}

function pointOf(
  row: RangeRow,
  pass: 'forward' | 'backward',
  cost: RangeCost,
  precision: Precision,
  system: System,
): RooflinePoint[] {
  const gpuWorkNs = pass === 'forward' ? row.gpuWorkNs : row.backwardGpuWorkNs;
  if (gpuWorkNs === 0 || row.count === 0) return [];
  const [flops, bytes] = pass === 'forward' ? [cost.forward, cost.forwardBytes] : [cost.backward, cost.backwardBytes];
  const predictedNs = rooflineNs(flops, bytes, precision, system);
  return [
    {
      name: `${row.name} (${pass})`,
      shape: null,
      precision: flops.matrix > 0 ? precision : null,
      count: row.count,
      matrixFlops: flops.matrix * row.count,
      vectorFlops: flops.vector * row.count,
      bytes: bytes * row.count,
      gpuWorkNs,
      unknownGpuWorkNs: 0,
      predictedNs: predictedNs === null ? null : predictedNs * row.count,
      slice: -1,
    },
  ];
}

/** Returns layers and blocks of a model by their names; empty for an impossible model. */
function rangeCosts(shape: ModelShape, precision: Precision, system: System): Map<string, RangeCost> {
  const costs = new Map<string, RangeCost>();
  try {
    const {blocks} = estimate({shape, system, precision, parallelism: oneGpu, variant: 'corrected'});
    for (const {name, layers} of blocks) {
      const all = layers.map(({cost}) => ({
        name: cost.name,
        forward: cost.forwardFlops,
        backward: cost.backwardFlops,
        forwardBytes: cost.forwardBytes,
        backwardBytes: cost.backwardBytes,
      }));
      for (const {name: layer, ...cost} of all) costs.set(layer, cost);
      costs.set(name, all.reduce(add));
    }
  } catch (error) {
    if (!(error instanceof EstimateError)) throw error;
  }
  // A layer without operations has no place on the roofline.
  return new Map([...costs].filter(([, {forward, backward}]) => allFlops(forward) + allFlops(backward) > 0));
}

function add<Cost extends RangeCost>(a: Cost, b: Cost): Cost {
  const sum = (one: Flops, other: Flops): Flops => ({
    matrix: one.matrix + other.matrix,
    vector: one.vector + other.vector,
  });
  return {
    ...a,
    forward: sum(a.forward, b.forward),
    backward: sum(a.backward, b.backward),
    forwardBytes: a.forwardBytes + b.forwardBytes,
    backwardBytes: a.backwardBytes + b.backwardBytes,
  };
}
