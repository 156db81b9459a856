import {TraceError} from '../core/base/errors.js';
import {systemPresets} from '../core/estimate/system-presets.js';
import type {OperatorShapes} from '../core/figures/operator-inputs.js';
import {isCpuRecording, predictionNote} from '../core/predicted-gpu/predict-gpu.js';
import {predictedStep} from '../core/predicted-gpu/predicted-step.js';
import type {Trace} from '../core/trace/trace.js';
import {needsShapes} from '../core/what-if/changes/at-roof.js';
import {changesOfTarget, type WhatIfTarget} from '../core/what-if/asked-changes.js';
import {usualChange, usualChanges, type SystemPrediction, type UsualChange} from '../core/what-if/usual-changes.js';
import {whatIf} from '../core/what-if/what-if.js';
import type {WhatIfPage} from '../core/what-if/what-if-page.js';
import {loadReportDetails} from '../importers/report-details.js';
import type {ProfileId} from '../protocol/engine-messages.js';
import type {OpenProfiles} from './open-profiles.js';
import {stopIfCancelled} from './stop-if-cancelled.js';

/**
 * Returns how long a profile would take with each of the usual changes, and, for a recording of the CPU, on other GPUs.
 * Other requests are answered between two changes.
 *
 * @param report receives the progress, from 0 to 1
 * @throws TraceError `import/cancelled`, `file/…`
 */
export async function whatIfOf(
  profiles: OpenProfiles,
  {profile, target}: {readonly profile: ProfileId; readonly target?: WhatIfTarget},
  signal: AbortSignal,
  report: (part: number) => void,
): Promise<WhatIfPage> {
  const trace = await profiles.trace(profile);
  const answer = whatIf(trace, null);
  const ofTarget: UsualChange[] = [];
  const wanted = target ? changesOfTarget(trace, target) : [];
  const shapes = wanted.some(({change}) => needsShapes(change)) ? await shapesOf(profiles, profile, trace) : null;
  const changes: UsualChange[] = [];
  const asked = usualChanges(trace);
  const all = [...wanted, ...asked];
  for (const [at, change] of all.entries()) {
    report(at / all.length);
    await stopIfCancelled(signal);
    (at < wanted.length ? ofTarget : changes).push(usualChange(trace, null, change, shapes));
  }
  if (!isCpuRecording(trace)) return {answer, changes, asked: ofTarget, systems: [], noSystems: null};
  const {allShapes} = await loadReportDetails(profiles.file(profile).path, trace, new Set(['allShapes']));
  return {answer, changes, asked: ofTarget, ...(await systemsFor(trace, allShapes ?? new Map(), signal))};
}

/** Returns the shapes of operators; null if they cannot be read any more, for example if a report was deleted. */
async function shapesOf(profiles: OpenProfiles, profile: ProfileId, trace: Trace): Promise<OperatorShapes | null> {
  try {
    return (await loadReportDetails(profiles.file(profile).path, trace, new Set(['shapes']))).shapes ?? null;
  } catch (error) {
    if (error instanceof TraceError) return null;
    throw error;
  }
}

/** Common GPUs; the command line knows more. */
const shownSystems: ReadonlySet<string> = new Set(['a100-80gb', 'h100', 'b200', 'mi300x']);

async function systemsFor(
  trace: Trace,
  shapes: OperatorShapes,
  signal: AbortSignal,
): Promise<Pick<WhatIfPage, 'systems' | 'noSystems'>> {
  const systems: SystemPrediction[] = [];
  for (const preset of systemPresets.filter(({id}) => shownSystems.has(id))) {
    await stopIfCancelled(signal);
    try {
      const {system, predictedNs, intervalNs, predictedGpuWorkNs, notes} = predictedStep(trace, shapes, preset, {
        ...{step: null, automatic: []},
      });
      const own = notes.filter(({code}) => code === predictionNote).map(({text}) => text);
      systems.push({system, predictedNs, intervalNs, predictedGpuWorkNs, notes: own.slice(1)});
    } catch (error) {
      // The changes are shown anyway.
      if (error instanceof TraceError && error.code.startsWith('predicted-gpu/')) {
        return {systems: [], noSystems: error.message};
      }
      throw error;
    }
  }
  return {systems, noSystems: null};
}
