import type {WholeColumn} from '../table/table.js';

/** The columns needed for interval arithmetic: any table of slices fits. */
export interface Intervals {
  readonly length: number;
  readonly startNs: Float64Array;
  readonly durationNs: WholeColumn;
}

/**
 * Returns the nanoseconds of `[fromNs, toNs)` in which at least one interval runs.
 *
 * Overlap counts once, so the result is at most `toNs - fromNs`; without rows it is 0. Busy is not utilisation: it does
 * not say how many SMs were in use.
 *
 * @param rows sorted by `startNs`
 * @see docs/metrics.md#gpu-busy
 */
export function busyNs(rows: Intervals, fromNs = -Infinity, toNs = Infinity): number {
  const {length, startNs, durationNs} = rows;
  let total = 0;
  let coveredToNs = fromNs;
  // One sweep over sorted rows, without allocations.
  for (let i = 0; i < length; i++) {
    const start = Math.max(startNs[i], coveredToNs);
    const end = Math.min(startNs[i] + durationNs[i], toNs);
    if (end <= start) continue;
    total += end - start;
    coveredToNs = end;
  }
  return total;
}
