import type {LineTiming} from '../../core/lines/line-timings.js';
import type {SourceLines, SourceWork} from '../../core/lines/source-lines.js';
import type {TimingScope} from '../../core/scope/timing-scope.js';

/** The work of a line without a tag. */
export type UntaggedWork = Pick<
  SourceWork,
  'count' | 'cpuWallNs' | 'gpuWorkNs' | 'backwardGpuWorkNs' | 'operations' | 'launches'
>;

/**
 * Returns such work with the same figures as a tag. Unknown figures are 0 or NaN, and their fields are hidden.
 *
 * @param asked the requested scope
 */
export function untaggedTiming(
  {count, cpuWallNs, gpuWorkNs, backwardGpuWorkNs, operations, launches}: UntaggedWork,
  {steps, allGpuWorkNs}: Pick<SourceLines, 'steps' | 'allGpuWorkNs'>,
  asked: TimingScope,
): LineTiming {
  return {
    of: asked === 'steps' && steps === 0 ? 'profile' : asked,
    ...{steps, count, cpuWallNs, gpuWorkNs, backwardGpuWorkNs, operations, launches, allGpuWorkNs},
    ...{names: [], nameCount: 1, leastWorkNs: 0, stepDeviationNs: NaN, peakBytes: NaN, isGpuProfile: true},
    ...{gpuBusyNs: 0, backwardGpuBusyNs: 0, gpuSpanNs: 0, allWallNs: 0},
  };
}
