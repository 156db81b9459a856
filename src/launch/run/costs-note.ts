import {costedOptions, optionCosts, optionCostsText} from '../../core/benchmark/option-costs.js';
import {formatCount} from '../../core/format/count.js';
import {formatDuration} from '../../core/format/duration.js';
import type {ProfileRequest} from '../command/profile-request.js';
import type {RecordingValues} from '../command/recording-options.js';
import type {RunRecord} from './run-outcome.js';

/** The default numbers of steps, as in `gpulens_runner/config.py`. */
const usual = {warmup: 2, prewarm: 1, active: 3};

/** Returns a sentence with the cost of the profiler's options, or why it is unknown; null if it was not requested. */
export function costsNote(request: ProfileRequest, record: RunRecord, isCancelled: boolean): string | null {
  const {recording} = request;
  if (recording.costs !== true) return null;
  const steps = record.costs;
  const costs = steps ? optionCosts(steps) : [];
  if (!steps || costs.length === 0) {
    return `What options cost was not measured: ${whyNot(request, record, isCancelled)}.`;
  }
  const plainNs = steps.plainNs.reduce((sum, ns) => sum + ns, 0) / steps.plainNs.length;
  return `What options cost, where a step takes ${formatDuration(plainNs)} without the profiler: ${optionCostsText(costs)}.`;
}

function whyNot({name, recording}: ProfileRequest, record: RunRecord, isCancelled: boolean): string {
  if (isCancelled || record.status !== 0 || record.errors.length > 0) return 'the recording ended before';
  if (record.hasOwnProfiler) return `${name} profiles itself`;
  if (record.stepsTaken === 0) return 'no steps were recorded';
  return `${name} takes fewer than the ${formatCount(stepsNeeded({...usual, ...recording}))} steps that this needs`;
}

/**
 * Counts the steps until the recording is over, one for the lines, one to settle, the plain steps, and for each option
 * and for no options one more and the timed ones.
 */
function stepsNeeded({warmup, prewarm, active, lines = false}: typeof usual & RecordingValues): number {
  return (
    Math.max(1, warmup) + prewarm + active + Number(lines) + 1 + active + (costedOptions.length + 1) * (1 + active)
  );
}
