import type {TimeWindow} from '../base/time-window.js';
import {coverOfActivities, stepActivities} from '../figures/step-activities.js';
import {coveredNs} from '../trace/interval-sets.js';
import type {Trace} from '../trace/trace.js';
import {partIndex, timeParts} from './time-parts.js';

/**
 * Returns how the CPU spent each window in a profile without GPU work: ns of each part in the order of `timeParts`. The
 * activities are those of `step_breakdown`.
 *
 * @param process index into `Trace.processes`
 * @see docs/metrics.md#step-breakdown
 */
export function cpuTimeInParts(trace: Trace, process: number, windows: readonly TimeWindow[]): Float64Array[] {
  const covers = coverOfActivities(trace, process, null);
  const loader = stepActivities.indexOf('dataLoader');
  return windows.map(({fromNs, toNs}) => {
    const ns = new Float64Array(timeParts.length);
    const covered = covers.map(set => coveredNs(set, fromNs, toNs));
    const all = covered[covered.length - 1];
    ns[partIndex['cpu/loader']] = covered[loader] - covered[loader - 1];
    ns[partIndex['cpu/work']] = all - ns[partIndex['cpu/loader']];
    ns[partIndex['cpu/other']] = toNs - fromNs - all;
    return ns;
  });
}
