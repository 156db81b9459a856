import type {LineTiming} from './line-timings.js';

/** The smallest share of all work for each level: from 1 for warm to 4 for the hottest. */
const heatFrom = [0.01, 0.05, 0.15, 0.35] as const;
export type HeatLevel = 0 | 1 | 2 | 3 | 4;

/** Lines from this level on are hot: they have text at their end if the user wants it for hot lines. */
export const hotLevel = 3;

/** Returns a line's share of all GPU work, or of the wall time if the profile has no GPU work; from 0 to 1. */
export function shareOfLine(timing: LineTiming): number {
  const {isGpuProfile, gpuWorkNs, backwardGpuWorkNs, allGpuWorkNs, cpuWallNs, allWallNs} = timing;
  const [part, whole] = isGpuProfile ? [gpuWorkNs + backwardGpuWorkNs, allGpuWorkNs] : [cpuWallNs, allWallNs];
  return whole > 0 ? Math.min(1, part / whole) : 0;
}

/** Returns how hot a line is; 0 for lines without a mark. @see docs/metrics.md#heat */
export function heatOfLine(timing: LineTiming): HeatLevel {
  const share = shareOfLine(timing);
  return heatFrom.filter(from => share >= from).length as HeatLevel;
}

/** Bars, as in the margin. Two digits would look like a number of problems. */
const badges = ['', '▂', '▄', '▆', '█'] as const;

/** Returns the badge of a file by the total heat of its ranges; '' for a file without a mark. */
export function heatBadge(timing: LineTiming): string {
  return badges[heatOfLine(timing)];
}
