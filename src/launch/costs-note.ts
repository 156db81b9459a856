import {costedOptions, optionCosts, optionCostsText, type OptionSteps} from '../core/benchmark/option-costs.js';
import {formatCount} from '../core/format/count.js';
import {formatDuration} from '../core/format/duration.js';
import type {ProfileRequest} from './profile-request.js';

/** The usual numbers of steps; `gpulens_runner/config.py` has them, too. */
const usual = {warmup: 2, prewarm: 1, active: 3};

/** What options of the profiler cost, in a sentence, or why that is not known; null where nobody asked. */
export function costsNote({name, recording}: ProfileRequest, steps: OptionSteps | null): string | null {
  if (recording.costs !== true) return null;
  const costs = steps ? optionCosts(steps) : [];
  if (!steps || costs.length === 0) {
    const needed = formatCount(stepsNeeded({...usual, ...recording}));
    return `What options cost was not measured: ${name} takes fewer than the ${needed} steps that this needs.`;
  }
  const plainNs = steps.plainNs.reduce((sum, ns) => sum + ns, 0) / steps.plainNs.length;
  return `What options cost, where a step takes ${formatDuration(plainNs)} without the profiler: ${optionCostsText(costs)}.`;
}

/** Those until the recording is over, one that settles, plain ones, and of each option and of none one more and the timed ones. */
function stepsNeeded({warmup, prewarm, active}: typeof usual): number {
  return Math.max(1, warmup) + prewarm + active + 1 + active + (costedOptions.length + 1) * (1 + active);
}
