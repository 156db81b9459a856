/** The visible part of a trace, in ns from its origin. */
export interface TimeWindow {
  readonly fromNs: number;
  readonly toNs: number;
}

/** Nothing shorter is worth a whole screen: clocks tick in ns. */
const shortestNs = 20;

/** The whole trace with a little room on both sides. */
export function fitAll(spanNs: number): TimeWindow {
  const marginNs = Math.max(shortestNs / 2, spanNs * 0.01);
  return {fromNs: -marginNs, toNs: Math.max(spanNs, 1) + marginNs};
}

/** `factor` below 1 zooms in; the time at `fraction` of the width stays where it is. */
export function zoomAt(window: TimeWindow, fraction: number, factor: number, spanNs: number): TimeWindow {
  const widthNs = window.toNs - window.fromNs;
  const nextNs = clamp(widthNs * factor, shortestNs, longestNs(spanNs));
  const anchorNs = window.fromNs + fraction * widthNs;
  return keepInside({fromNs: anchorNs - fraction * nextNs, toNs: anchorNs + (1 - fraction) * nextNs}, spanNs);
}

/** Moves the window by a fraction of its width; positive is later. */
export function panBy({fromNs, toNs}: TimeWindow, fraction: number, spanNs: number): TimeWindow {
  const shiftNs = (toNs - fromNs) * fraction;
  return keepInside({fromNs: fromNs + shiftNs, toNs: toNs + shiftNs}, spanNs);
}

/** Returns a window that can be shown, from an unchecked one (stored state, a message). */
export function sane({fromNs, toNs}: TimeWindow, spanNs: number): TimeWindow {
  if (!Number.isFinite(fromNs) || !Number.isFinite(toNs) || toNs <= fromNs) return fitAll(spanNs);
  const middleNs = (fromNs + toNs) / 2;
  const halfNs = clamp(toNs - fromNs, shortestNs, longestNs(spanNs)) / 2;
  return keepInside({fromNs: middleNs - halfNs, toNs: middleNs + halfNs}, spanNs);
}

function longestNs(spanNs: number): number {
  const {fromNs, toNs} = fitAll(spanNs);
  return toNs - fromNs;
}

/** Lets a window go half its width beyond the trace, which is enough to see both ends. */
function keepInside({fromNs, toNs}: TimeWindow, spanNs: number): TimeWindow {
  const widthNs = toNs - fromNs;
  const from = clamp(fromNs, -widthNs / 2, Math.max(-widthNs / 2, spanNs - widthNs / 2));
  return {fromNs: from, toNs: from + widthNs};
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
