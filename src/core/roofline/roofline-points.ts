import {getOrAdd} from '../table/get-or-add.js';
import type {Precision} from '../estimate/precision.js';
import type {System} from '../estimate/system.js';
import {kernelClass} from '../names/kernel-class.js';
import type {ReportInput} from '../figures/report-input.js';
import {workingOperators, type WorkingOperator} from './costed-operators.js';
import {rooflineNs} from './roofs.js';

/** The note for operators that took less time than the roofs allow. */
export const aboveRoof =
  'above the roof: a cache holds the data, or the GPU, the shapes or the times are not what the file says';

/** What the points of a roofline represent. */
export const rooflineGroupings = ['operator', 'shape', 'range', 'module', 'class'] as const;
export type RooflineGrouping = (typeof rooflineGroupings)[number];

/** Operators with the same name, shape, range, module or class of kernels. */
export interface RooflinePoint {
  /** The operator, range, module or class. */
  readonly name: string;
  /** Sizes of the inputs, `512 × [141, 512] × [512, 512]`; null if points are not grouped by shape. */
  readonly shape: string | null;
  readonly precision: Precision | null;
  /** Operators with figures. */
  readonly count: number;
  readonly matrixFlops: number;
  readonly vectorFlops: number;
  readonly bytes: number;
  /** GPU work of the operators with figures, which all figures here cover. */
  readonly gpuWorkNs: number;
  /** GPU work of operators without figures, which are excluded. */
  readonly unknownGpuWorkNs: number;
  /** The least time on the GPU's roofs, ns; null if the GPU is unknown. */
  readonly predictedNs: number | null;
  /** Row of `slices` of the first operator, as a target for navigation. */
  readonly slice: number;
}

export interface Roofline {
  readonly points: readonly RooflinePoint[];
  readonly allGpuWorkNs: number;
  /** GPU work of operators whose shapes give their figures. */
  readonly knownGpuWorkNs: number;
  readonly hasShapes: boolean;
}

type Growing = {-readonly [K in keyof RooflinePoint]: RooflinePoint[K]};

/**
 * Returns the points of a roofline, the one with the most GPU work first. Different precisions are separate points,
 * because each precision has its own roof.
 *
 * @param system the GPU's system; null if it is unknown
 * @param placeOf row of `gpuOperations` → the range or module after which its point is named
 * @see docs/metrics.md#roofline-sum
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function roofline(
  input: ReportInput,
  by: RooflineGrouping,
  system: System | null,
  placeOf: (operation: number) => string = () => '',
): Roofline {
  const {operators, allGpuWorkNs, hasShapes} = workingOperators(input);
  const points = new Map<string, Growing>();
  let knownGpuWorkNs = 0;
  for (const operator of operators) {
    const {cost, gpuWorkNs} = operator;
    const [name, shape] = labels(input, by, operator, placeOf);
    const precision = by === 'operator' || by === 'shape' ? (cost?.precision ?? null) : null;
    const key = JSON.stringify([name, shape, precision]);
    const point = getOrAdd(points, key, () => emptyPoint(name, shape, precision, operator.slice));
    if (!cost) {
      point.unknownGpuWorkNs += gpuWorkNs;
      continue;
    }
    knownGpuWorkNs += gpuWorkNs;
    point.count++;
    point.matrixFlops += cost.flops.matrix;
    point.vectorFlops += cost.flops.vector;
    point.bytes += cost.bytes;
    point.gpuWorkNs += gpuWorkNs;
    // If one operator has no prediction, its point has none.
    const predictedNs = system && rooflineNs(cost.flops, cost.bytes, cost.precision, system);
    point.predictedNs = predictedNs === null || point.predictedNs === null ? null : point.predictedNs + predictedNs;
  }
  const known = [...points.values()].filter(({count}) => count > 0);
  known.sort((a, b) => b.gpuWorkNs - a.gpuWorkNs || a.slice - b.slice);
  return {points: known, allGpuWorkNs, knownGpuWorkNs, hasShapes};
}

/** Returns operations per byte. */
export function intensityOf({matrixFlops, vectorFlops, bytes}: RooflinePoint): number {
  return (matrixFlops + vectorFlops) / bytes;
}

/** Returns operations per second of GPU work. */
export function flopsPerSecondOf({matrixFlops, vectorFlops, gpuWorkNs}: RooflinePoint): number {
  return ((matrixFlops + vectorFlops) / gpuWorkNs) * 1e9;
}

/** Returns the sizes of an operator's tensors: `[512] [141, 512] [512, 512]`. */
export function shapeText({inputs}: WorkingOperator): string {
  return (inputs?.dims ?? [])
    .filter(dims => dims !== null && dims.length > 0)
    .map(dims => `[${(dims ?? []).join(', ')}]`)
    .join(' ');
}

function emptyPoint(name: string, shape: string | null, precision: Precision | null, slice: number): Growing {
  return {
    name,
    shape,
    precision,
    count: 0,
    matrixFlops: 0,
    vectorFlops: 0,
    bytes: 0,
    gpuWorkNs: 0,
    unknownGpuWorkNs: 0,
    predictedNs: 0,
    slice,
  };
}

function labels(
  {trace: {slices, strings, gpuOperations}}: ReportInput,
  by: RooflineGrouping,
  operator: WorkingOperator,
  placeOf: (operation: number) => string,
): [name: string, shape: string | null] {
  switch (by) {
    case 'operator':
      return [strings.get(slices.name[operator.slice]), null];
    case 'shape':
      return [strings.get(slices.name[operator.slice]), shapeText(operator)];
    case 'range':
    case 'module':
      return [placeOf(operator.operation), null];
    case 'class':
      return [kernelClass(strings.get(slices.name[gpuOperations.slice[operator.operation]])), null];
  }
}
