import {TraceError} from '../core/base/errors.js';
import {systemPreset} from '../core/estimate/system-presets.js';
import type {OperatorShapes} from '../core/figures/operator-inputs.js';
import type {NamePattern} from '../core/names/name-pattern.js';
import {isCpuRecording} from '../core/predicted-gpu/predict-gpu.js';
import {predictedLines, type PredictedLine} from '../core/predicted-gpu/predicted-lines.js';
import type {Trace} from '../core/trace/trace.js';
import {loadReportDetails} from '../importers/report-details.js';
import type {ProfileId} from '../protocol/engine-messages.js';
import type {OpenProfiles} from './open-profiles.js';

/** A request for predicted lines: the names that each line can open, and the GPU. */
interface Asked {
  readonly profile: ProfileId;
  readonly patterns: readonly (readonly NamePattern[])[];
  readonly system: string;
}

/** Shapes are read from the file once, for all of its lines. */
const shapesOf = new WeakMap<Trace, Promise<OperatorShapes>>();

/** Returns the predicted GPU work of lines, for a recording of the CPU; null if nothing can be predicted. */
export async function predictedLinesOf(
  profiles: OpenProfiles,
  {profile, patterns, system}: Asked,
): Promise<readonly (PredictedLine | null)[] | null> {
  const trace = await profiles.trace(profile);
  const preset = systemPreset(system);
  if (!preset || !isCpuRecording(trace)) return null;
  const loading = shapesOf.get(trace) ?? loadShapes(profiles.file(profile).path, trace);
  shapesOf.set(trace, loading);
  try {
    return predictedLines(trace, await loading, preset, patterns);
  } catch (error) {
    if (error instanceof TraceError && error.code.startsWith('predicted-gpu/')) return null;
    shapesOf.delete(trace);
    throw error;
  }
}

async function loadShapes(path: string, trace: Trace): Promise<OperatorShapes> {
  const {allShapes} = await loadReportDetails(path, trace, new Set(['allShapes']));
  return allShapes ?? new Map();
}
