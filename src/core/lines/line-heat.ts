import type {LineTiming} from './line-timings.js';

/** From which share of all work on a line has the level: 1 for warm to 4 for the hottest. */
const heatFrom = [0.01, 0.05, 0.15, 0.35] as const;
export type HeatLevel = 0 | 1 | 2 | 3 | 4;

/** Lines from this level on are hot: they have text at their end where the user wants it for hot lines. */
export const hotLevel = 3;

/** A line's part of all GPU work, or of the wall time where the profile has no GPU work; from 0 to 1. */
export function shareOfLine(timing: LineTiming): number {
  const {isGpuProfile, gpuWorkNs, backwardGpuWorkNs, allGpuWorkNs, cpuWallNs, allWallNs} = timing;
  const [part, whole] = isGpuProfile ? [gpuWorkNs + backwardGpuWorkNs, allGpuWorkNs] : [cpuWallNs, allWallNs];
  return whole > 0 ? Math.min(1, part / whole) : 0;
}

/** How hot a line is, 0 for lines that are not marked. @see docs/metrics.md#heat */
export function heatOfLine(timing: LineTiming): HeatLevel {
  const share = shareOfLine(timing);
  return heatFrom.filter(from => share >= from).length as HeatLevel;
}

/** Bars, as in the margin: two digits read as a number of problems. */
const badges = ['', '▂', '▄', '▆', '█'] as const;

/** Returns the badge of a file by the heat of its ranges together, '' for one that is not marked. */
export function heatBadge(timing: LineTiming): string {
  return badges[heatOfLine(timing)];
}
