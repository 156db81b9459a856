import type {LineTiming} from '../../core/lines/line-timings.js';
import type {SourceLines, SourceWork} from '../../core/lines/source-lines.js';
import type {TimingScope} from '../../core/scope/timing-scope.js';

/** Work of a line that no tag stands on. */
export type UntaggedWork = Pick<
  SourceWork,
  'count' | 'cpuWallNs' | 'gpuWorkNs' | 'backwardGpuWorkNs' | 'operations' | 'launches'
>;

/**
 * Such work with figures as of tags. What is not known of it is nothing, or NaN: its fields are left out.
 *
 * @param asked the scope that was asked for
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
