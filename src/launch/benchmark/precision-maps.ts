import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import type {PrecisionRow} from '../../core/benchmark/precision-map.js';
import {sweepPoints, type SweepPoint} from '../../core/benchmark/sweep-points.js';
import {precisionOfPoint, type PointSurroundings} from './run-point.js';

/** The data types of one step of a point. */
export interface PointPrecision {
  readonly point: SweepPoint;
  readonly rows: readonly PrecisionRow[];
  /** One sentence where there is no map. */
  readonly error: string | null;
}

/**
 * Precision maps of the points of a sweep, one after the other, each from one step in a process of its own. Nothing is
 * measured; a point without a map says why, and the next one is gone on with. When the signal aborts, what has been
 * made is returned.
 *
 * @param folder where the points' files of events are written while they run
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
    maps.push(await mapOf(point, join(folder, `precision-${String(process.pid)}.events.jsonl`), surroundings));
  }
  return maps;
}

async function mapOf(
  point: SweepPoint,
  eventsFile: string,
  surroundings: Omit<PointSurroundings, 'onStep'>,
): Promise<PointPrecision> {
  if (point.target === 'command') return {point, rows: [], error: 'A command does not tell its data types.'};
  try {
    const rows = await precisionOfPoint(point, eventsFile, {...surroundings, onStep: () => undefined});
    return {point, rows, error: null};
  } catch (error) {
    return {point, rows: [], error: error instanceof Error ? error.message : String(error)};
  }
}
