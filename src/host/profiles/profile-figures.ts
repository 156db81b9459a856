import {say} from '../../core/base/say.js';
import {formatDuration} from '../../core/format/duration.js';
import type {OpenProfile} from './profile-store.js';

/** Returns the figure that distinguishes profiles in lists: the GPU work, or the time span without GPU work. */
export function figures({state}: OpenProfile): string {
  const {gpu, spanNs} = state.summary.info;
  return gpu.workNs > 0
    ? say('GPU work {0}', formatDuration(gpu.workNs))
    : say('{0}, no GPU work', formatDuration(spanNs));
}
