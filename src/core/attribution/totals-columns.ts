export const totalsColumns = [
  'count',
  'countWithWork',
  'cpuWallNs',
  'cpuSelfNs',
  'cpuBlockedNs',
  'gpuWorkNs',
  'gpuSelfNs',
  'gpuBusyNs',
  'gpuSpanNs',
  'gpuTailNs',
  'operations',
  'launches',
  'backwardGpuWorkNs',
  'backwardGpuSelfNs',
  'backwardGpuBusyNs',
  'backwardOperations',
  'backwardLaunches',
  'recomputeGpuWorkNs',
  'assumed',
] as const;

/**
 * Figures per group of ranges, then per bucket: every array is `groups.length + buckets.length` long.
 *
 * @see docs/metrics.md#ranges
 */
export type RangeTotals = Readonly<Record<(typeof totalsColumns)[number], Float64Array>> & {readonly length: number};

/** Returns totals of zero. @param length the number of groups and buckets */
export function emptyTotals(length: number): RangeTotals {
  const columns = Object.fromEntries(totalsColumns.map(column => [column, new Float64Array(length)]));
  return {length, ...(columns as Omit<RangeTotals, 'length'>)};
}

/** Returns the figures that lines show of a group: work by pass, operations and launches of both passes together. */
export function lineFigures(
  totals: RangeTotals,
  group: number,
): Readonly<Record<'count' | 'cpuWallNs' | 'gpuWorkNs' | 'backwardGpuWorkNs' | 'operations' | 'launches', number>> {
  return {
    count: totals.count[group],
    cpuWallNs: totals.cpuWallNs[group],
    gpuWorkNs: totals.gpuWorkNs[group],
    backwardGpuWorkNs: totals.backwardGpuWorkNs[group],
    operations: totals.operations[group] + totals.backwardOperations[group],
    launches: totals.launches[group] + totals.backwardLaunches[group],
  };
}
