import type {PointResult} from '../../core/benchmark/point-result.js';
import type {SweepConfig} from '../../core/benchmark/sweep-config.js';
import {sweepPoints, type SweepPoint} from '../../core/benchmark/sweep-points.js';
import {isMeasured, measuredCount} from '../../core/benchmark/sweep-record.js';
import {TraceError} from '../../core/base/errors.js';
import {createRunFolder} from '../run/run-folder.js';
import {runPoint, type PointSurroundings} from './run-point.js';
import {appendLine, keptSweeps, readSweep, sweepId, sweepsFolder, type KeptSweep} from './sweep-files.js';
import {withLock} from './sweep-lock.js';

/** A sweep to measure, and the environment to measure it in. */
export interface SweepRequest extends Omit<PointSurroundings, 'onStep'> {
  readonly config: SweepConfig;
  /** The config as given, which is saved with the results. */
  readonly given: unknown;
  /** The folder under which results are saved. */
  readonly output: string;
  /** The run to resume: the latest unfinished run of the same sweep, the one in a folder, or none. */
  readonly earlier: 'latest' | 'none' | {readonly folder: string};
}

/** Callbacks for a sweep's progress. */
export interface SweepHandlers {
  /** The sweep begins; `kept` holds the points that an earlier run measured. */
  readonly onBegin: (kept: KeptSweep, points: readonly SweepPoint[]) => void;
  readonly onPoint: (index: number, point: SweepPoint) => void;
  readonly onStep: (index: number, measured: number) => void;
  readonly onResult: (index: number, result: PointResult) => void;
}

/**
 * Measures a sweep point by point and saves each result as it arrives. An unfinished sweep resumes. If a point fails,
 * the next one is still measured. If the signal aborts, the results measured so far are kept.
 *
 * @throws TraceError `bench/bad-config`; `bench/running`; `bench/no-results` if the folder to resume holds no sweep or
 *   another one; the file system's error if nothing can be written
 */
export async function runSweep(request: SweepRequest, handlers: SweepHandlers): Promise<KeptSweep> {
  const points = sweepPoints(request.config);
  const id = sweepId(request.config, points);
  return withLock(request.output, id, async () => {
    const kept = (await findEarlier(request, id)) ?? (await begin(request, id, points));
    handlers.onBegin(kept, points);
    for (const [index, point] of points.entries()) {
      if (request.signal.aborted) break;
      if (!isMeasured(kept.record, index)) await measure(request, handlers, kept.folder, index, point);
    }
    const now = (await readSweep(kept.folder)) ?? kept;
    if (measuredCount(now.record) < points.length) return now;
    await appendLine(kept.folder, {kind: 'end', at: new Date().toISOString()});
    return (await readSweep(kept.folder)) ?? now;
  });
}

async function findEarlier({earlier, output}: SweepRequest, id: string): Promise<KeptSweep | null> {
  if (earlier === 'none') return null;
  if (earlier !== 'latest') {
    const kept = await readSweep(earlier.folder);
    if (kept?.record.id === id) return kept;
    throw new TraceError('bench/no-results', `${earlier.folder} has no results of this sweep to go on with.`);
  }
  const same = (await keptSweeps(output)).find(({record}) => record.id === id);
  return same && !same.record.isEnded ? same : null;
}

async function begin(request: SweepRequest, id: string, points: readonly SweepPoint[]): Promise<KeptSweep> {
  const {name} = request.config;
  const at = new Date();
  const {path: folder} = await createRunFolder(request.output, name, at, sweepsFolder);
  const startedAt = at.toISOString();
  await appendLine(folder, {kind: 'sweep', id, name, startedAt, points: points.length, config: request.given});
  const none = {results: new Map(), profiles: new Map(), precision: new Map(), isEnded: false, badLines: 0};
  return {folder, record: {id, name, startedAt, pointCount: points.length, config: request.given, ...none}};
}

async function measure(
  request: SweepRequest,
  handlers: SweepHandlers,
  folder: string,
  index: number,
  point: SweepPoint,
): Promise<void> {
  handlers.onPoint(index, point);
  const {result, isDone} = await runPoint(point, folder, {
    ...request,
    onStep: measured => {
      handlers.onStep(index, measured);
    },
  });
  // A partly measured point is useless: when the sweep resumes, the point starts over.
  if (request.signal.aborted && !isDone) return;
  await appendLine(folder, {kind: 'result', index, result});
  handlers.onResult(index, result);
}
