import {formatDuration} from '../../core/format/duration.js';
import type {OpenProfile} from './profile-store.js';

/** Returns the figure that distinguishes profiles in lists: the GPU work, or the time span without GPU work. */
export function figures({state}: OpenProfile): string {
  const {gpu, spanNs} = state.summary.info;
  return gpu.workNs > 0 ? `GPU work ${formatDuration(gpu.workNs)}` : `${formatDuration(spanNs)}, no GPU work`;
}
