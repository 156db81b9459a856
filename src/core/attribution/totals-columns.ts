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
] as const;

/**
 * Figures per group of ranges, then per bucket: every array is `groups.length + buckets.length` long.
 *
 * @see docs/metrics.md#ranges
 */
export type RangeTotals = Readonly<Record<(typeof totalsColumns)[number], Float64Array>> & {readonly length: number};
