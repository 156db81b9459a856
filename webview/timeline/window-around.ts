import {sane, type TimeWindow} from '../../src/core/base/time-window.js';
import type {SliceDetails} from '../../src/core/questions/slice-details.js';

/** A window in which a slice can be seen; null where it can in the present one. */
export function windowAround(
  {startNs, durationNs}: Pick<SliceDetails, 'startNs' | 'durationNs'>,
  {fromNs, toNs}: TimeWindow,
  spanNs: number,
): TimeWindow | null {
  const widthNs = toNs - fromNs;
  const isInSight = startNs + durationNs >= fromNs && startNs <= toNs;
  if (isInSight && durationNs >= widthNs / 1000 && durationNs <= widthNs) return null;
  const wantedNs = Math.min(widthNs, Math.max(durationNs * 20, 200));
  const shownNs = durationNs > widthNs ? durationNs * 1.2 : wantedNs;
  const middleNs = startNs + durationNs / 2;
  return sane({fromNs: middleNs - shownNs / 2, toNs: middleNs + shownNs / 2}, spanNs);
}
