import {greatest} from '../../src/core/table/extremes.js';
import {extent, scaleLog, scaleSqrt, type ScaleLogarithmic, type ScalePower} from 'd3';
import {roofsOf, type Roofs} from '../../src/core/roofline/roofs.js';
import type {Precision} from '../../src/core/estimate/precision.js';
import type {System} from '../../src/core/estimate/system.js';
import type {RooflineMark} from '../../src/core/questions/roofline-marks.js';
import {flopsPerSecondOf, intensityOf} from '../../src/core/roofline/roofline-points.js';
import {t} from '../shared/translate.js';

/** A mark with its place on the chart. */
export interface PlacedMark {
  readonly mark: RooflineMark;
  readonly intensity: number;
  readonly flopsPerSecond: number;
}

/**
 * Returns the marks with operations, since the others have no logarithm. The largest come first, so that small ones are
 * on top.
 */
export function placedMarks(marks: readonly RooflineMark[]): PlacedMark[] {
  return marks
    .map(mark => ({mark, intensity: intensityOf(mark), flopsPerSecond: flopsPerSecondOf(mark)}))
    .filter(({intensity, flopsPerSecond}) => intensity > 0 && flopsPerSecond > 0 && Number.isFinite(flopsPerSecond));
}

/** A roof and its meaning: products in a precision, or everything else. */
export interface NamedRoof extends Roofs {
  readonly name: string;
}

/** Returns the roofs that apply to the marks, the highest first. */
export function roofsOfMarks(marks: readonly RooflineMark[], system: System): NamedRoof[] {
  const used = new Set<Precision | null>(marks.map(({precision}) => precision));
  if (marks.some(({vectorFlops}) => vectorFlops > 0)) used.add(null);
  const byPeak = new Map<number, NamedRoof>();
  for (const precision of used) {
    const roofs = roofsOf(system, precision);
    if (!roofs) continue;
    const name = precision === null ? t('vector units') : t('{0} products', precision);
    const same = byPeak.get(roofs.flopsPerSecond);
    // Roofs of the same height are one line.
    byPeak.set(roofs.flopsPerSecond, {...roofs, name: same ? `${same.name}, ${name}` : name});
  }
  return [...byPeak.values()].sort((a, b) => b.flopsPerSecond - a.flopsPerSecond);
}

export interface ChartScales {
  readonly x: ScaleLogarithmic<number, number>;
  readonly y: ScaleLogarithmic<number, number>;
  /** By GPU work: areas are proportional to it. */
  readonly radius: ScalePower<number, number>;
}

/** The inner area of the chart, in px. */
export interface ChartBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const mostRadiusPx = 24;

/** Returns scales that cover all marks and the roofs' ridges. */
export function chartScales(placed: readonly PlacedMark[], roofs: readonly NamedRoof[], box: ChartBox): ChartScales {
  const intensities = [...placed.map(({intensity}) => intensity), ...roofs.map(({ridge}) => ridge)];
  const speeds = [
    ...placed.map(({flopsPerSecond}) => flopsPerSecond),
    ...roofs.map(({flopsPerSecond}) => flopsPerSecond),
  ];
  const [leastX = 0.1, mostX = 1000] = extent(intensities);
  const [leastY = 1e9, mostY = 1e15] = extent(speeds);
  const mostWork = Math.max(greatest(placed.map(({mark}) => mark.gpuWorkNs)), 1);
  return {
    x: scaleLog([leastX / 2, mostX * 4], [box.left, box.right]),
    // The largest mark fits at the highest place.
    y: scaleLog([leastY / 3, mostY * 1.5], [box.bottom, box.top + mostRadiusPx]),
    radius: scaleSqrt([0, mostWork], [0, mostRadiusPx]),
  };
}
