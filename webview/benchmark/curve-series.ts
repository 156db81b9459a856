import {
  axisText,
  axisValues,
  measurementAxes,
  type MeasurementAxis,
} from '../../src/core/benchmark/measurement-rows.js';
import type {Measurement} from '../../src/core/benchmark/measurement.js';

/** The possible x axes of curves. */
export type CurveAxis = 'contextLength' | 'batch' | 'size';

export interface CurvePoint {
  readonly x: string | number;
  readonly id: number;
  /** Null if there is a problem instead of a figure. */
  readonly meanNs: number | null;
  readonly stdNs: number;
  readonly problem: string | null;
}

export interface Curve {
  /** The properties that distinguish it from the other curves. */
  readonly label: string;
  readonly points: readonly CurvePoint[];
}

/** The curves of one pass. */
export interface CurveFacet {
  readonly pass: string;
  readonly curves: readonly Curve[];
}

/** Returns the axes with several values, over which curves can be drawn. */
export function curveAxes(measurements: readonly Measurement[]): CurveAxis[] {
  return (['contextLength', 'batch', 'size'] as const).filter(axis => axisValues(measurements, axis).length > 1);
}

/** Returns a curve for each combination of properties other than the axis, in one facet per pass. */
export function curveFacets(measurements: readonly Measurement[], axis: CurveAxis): CurveFacet[] {
  const named = measurementAxes.filter(
    other => other !== axis && other !== 'pass' && axisValues(measurements, other).length > 1,
  );
  return axisValues(measurements, 'pass').map(pass => {
    const curves = new Map<string, CurvePoint[]>();
    for (const measurement of measurements) {
      const x = measurement[axis];
      if (measurement.pass !== pass || x === null) continue;
      const label = labelOf(measurement, named);
      const points = curves.get(label) ?? [];
      curves.set(label, points);
      const {id, statistics, problem} = measurement;
      points.push({x, id, meanNs: statistics?.meanNs ?? null, stdNs: statistics?.stdNs ?? 0, problem});
    }
    return {
      pass: String(pass),
      curves: Array.from(curves, ([label, points]) => ({label, points: points.toSorted(byNumber)})),
    };
  });
}

function labelOf(measurement: Measurement, axes: readonly MeasurementAxis[]): string {
  return axes
    .map(axis => (axis === 'compile' ? (measurement.compile === true ? 'compiled' : '') : axisText(measurement[axis])))
    .filter(text => text !== '')
    .join(', ');
}

/** Sizes keep the order of the sweep. */
function byNumber(a: CurvePoint, b: CurvePoint): number {
  return typeof a.x === 'number' && typeof b.x === 'number' ? a.x - b.x : 0;
}
