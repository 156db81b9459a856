import type {Step} from '../../src/core/scope/steps.js';
import type {TimeWindow} from '../../src/core/base/time-window.js';
import {xOf, type TimelineState} from './timeline-state.js';

/** Returns the step whose middle is nearest after the window's middle, or before it; undefined for none. */
export function nextStep(steps: readonly Step[], {fromNs, toNs}: TimeWindow, direction: -1 | 1): Step | undefined {
  const middleNs = (fromNs + toNs) / 2;
  const slackNs = (toNs - fromNs) * 1e-6;
  const middleOf = (step: Step) => (step.startNs + step.endNs) / 2;
  return direction > 0
    ? steps.find(step => middleOf(step) > middleNs + slackNs)
    : steps.findLast(step => middleOf(step) < middleNs - slackNs);
}

/** Returns the last step that has begun at a time, else the first one. */
export function stepAt(steps: readonly Step[], atNs: number): Step | undefined {
  return steps.findLast(({startNs}) => startNs <= atNs) ?? steps.at(0);
}

/** How far from a step that is narrow on the screen a click may be. */
const slackPx = 3;

/** Returns the step drawn at an x of the canvas; undefined for none. */
export function stepDrawnAt(
  {steps, window, gutterPx}: Pick<TimelineState, 'steps' | 'window' | 'gutterPx'>,
  plotPx: number,
  xPx: number,
): Step | undefined {
  const distancePx = ({startNs, endNs}: Step) =>
    Math.max(0, xOf({window, gutterPx}, plotPx, startNs) - xPx, xPx - xOf({window, gutterPx}, plotPx, endNs));
  let nearest: Step | undefined;
  for (const step of steps) if (!nearest || distancePx(step) < distancePx(nearest)) nearest = step;
  return nearest && distancePx(nearest) <= slackPx ? nearest : undefined;
}
