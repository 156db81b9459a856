import {sane, type TimeWindow} from '../../src/core/base/time-window.js';
import type {SliceDetails} from '../../src/core/questions/slice-details.js';

type Span = Pick<SliceDetails, 'startNs' | 'durationNs'>;

/**
 * Returns a window that contains both ends of a flow and is at least as wide as the current one: the current one,
 * moved, if both fit; null if it contains them already.
 */
export function windowOfBoth(a: Span, b: Span, {fromNs, toNs}: TimeWindow, spanNs: number): TimeWindow | null {
  const firstNs = Math.min(a.startNs, b.startNs);
  const lastNs = Math.max(a.startNs + a.durationNs, b.startNs + b.durationNs);
  if (firstNs >= fromNs && lastNs <= toNs) return null;
  const halfNs = Math.max(toNs - fromNs, (lastNs - firstNs) * 1.2) / 2;
  const middleNs = (firstNs + lastNs) / 2;
  return sane({fromNs: middleNs - halfNs, toNs: middleNs + halfNs}, spanNs);
}

/** Returns a window in which a slice is visible; null if it is visible in the current one. */
export function windowAround(
  {startNs, durationNs}: Span,
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
