import {mkdir} from 'node:fs/promises';
import type {PrecisionRow} from '../../core/benchmark/precision-map.js';
import {sweepPoints, type SweepPoint} from '../../core/benchmark/sweep-points.js';
import {precisionOfPoint, type PointSurroundings} from './run-point.js';

/** The data types of one step of a point. */
export interface PointPrecision {
  readonly point: SweepPoint;
  readonly rows: readonly PrecisionRow[];
  /** Why there is no map, in one sentence; null if there is one. */
  readonly error: string | null;
}

/**
 * Returns precision maps of a sweep's points, one after the other. Each point runs one step in a process of its own,
 * and nothing is measured. A point without a map has the reason instead, and the next point follows. If the signal
 * aborts, returns the maps made so far.
 *
 * @param folder where each point's messages are written while it runs
 */
export async function precisionMaps(
  surroundings: Omit<PointSurroundings, 'onStep'>,
  folder: string,
  onPoint: (index: number, point: SweepPoint) => void,
): Promise<PointPrecision[]> {
  await mkdir(folder, {recursive: true});
  const maps: PointPrecision[] = [];
  for (const [index, point] of sweepPoints(surroundings.config).entries()) {
    if (surroundings.signal.aborted) break;
    onPoint(index, point);
    maps.push(await mapOf(point, folder, surroundings));
  }
  return maps;
}

async function mapOf(
  point: SweepPoint,
  folder: string,
  surroundings: Omit<PointSurroundings, 'onStep'>,
): Promise<PointPrecision> {
  if (point.target === 'command') return {point, rows: [], error: 'A command does not tell its data types.'};
  try {
    const rows = await precisionOfPoint(point, folder, {...surroundings, onStep: () => undefined});
    return {point, rows, error: null};
  } catch (error) {
    return {point, rows: [], error: error instanceof Error ? error.message : String(error)};
  }
}
