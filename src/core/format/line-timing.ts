import {formatCount} from './count.js';
import type {LineTiming} from '../queries/line-timings.js';
import {formatDuration, formatPercent} from './duration.js';

/**
 * A line's timing as CodeLens shows it. The first figure is forward and backward work together.
 *
 *     GPU work 44.3 ms (fwd 14.2 ms + bwd 30.1 ms) · 30.6 % of all · CPU 12.1 ms · ×32
 *     CPU 12.1 ms · 4.94 % of the profile · ×9 · no GPU work in this profile
 *
 * Null where the profile has no such range.
 */
export function lineTimingText(timing: LineTiming): string | null {
  const {count, cpuWallNs, gpuWorkNs, backwardGpuWorkNs, allGpuWorkNs, spanNs} = timing;
  if (count === 0) return null;
  const cpu = `CPU ${formatDuration(cpuWallNs)}`;
  const times = `×${formatCount(count)}`;
  if (allGpuWorkNs === 0) {
    return [cpu, `${formatPercent(cpuWallNs, spanNs)} of the profile`, times, 'no GPU work in this profile'].join(
      ' · ',
    );
  }
  const bothNs = gpuWorkNs + backwardGpuWorkNs;
  if (bothNs === 0) return ['no GPU work', cpu, times].join(' · ');
  const parts =
    backwardGpuWorkNs > 0 ? ` (fwd ${formatDuration(gpuWorkNs)} + bwd ${formatDuration(backwardGpuWorkNs)})` : '';
  return [
    `GPU work ${formatDuration(bothNs)}${parts}`,
    `${formatPercent(bothNs, allGpuWorkNs)} of all`,
    cpu,
    times,
  ].join(' · ');
}

/** What the figures of a line mean: the tooltip beside them. @see docs/metrics.md#lines */
export function lineTimingTooltip({names, allGpuWorkNs}: LineTiming): string {
  const which =
    names.length === 1 ? `the range "${names[0] ?? ''}"` : `${String(names.length)} ranges (${listed(names)})`;
  const gpu =
    allGpuWorkNs === 0
      ? ''
      : ' GPU work: durations of the kernels, copies and memsets launched inside, summed (fwd: on the range’s own thread; bwd: by autograd for it), and its share of all GPU work of the profile.';
  return `All instances of ${which} in the profile.${gpu} CPU: wall time from opening to closing, summed. Click to show the first one in the timeline.`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 4).join(', ');
  return names.length > 4 ? `${shown}, …` : shown;
}
