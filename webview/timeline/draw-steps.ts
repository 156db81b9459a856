import type {Step} from '../../src/core/scope/steps.js';
import {hueColors, type MarkColors, type ThemeKind} from '../shared/colors.js';
import {drawLabel} from '../shared/label.js';
import type {Theme} from '../shared/theme.js';
import {overviewPx, rulerPx, stepsPx, xOf, type TimelineState} from './timeline-state.js';
import {t} from '../shared/translate.js';

const stepPaints = [
  [210, 0],
  [35, 6],
] as const;
/** Steps alternate by a translucent shade that leaves colours and texts readable. */
const bandAlpha = 0.05;
const edgeAlpha = 0.35;
/** Narrower bands would look like a pattern. */
const leastBandPx = 6;

/** Returns the colours of a step by its position: its neighbours have others. */
export function stepColors(place: number, theme: ThemeKind): MarkColors {
  const [hue, shade] = stepPaints[place % stepPaints.length];
  return hueColors(hue, shade, theme);
}

/**
 * Draws the steps behind all rows: every other one a little darker or lighter, with its edges. If there are several
 * processes, only the steps of the first: overlapping ones would merge into one shade.
 */
export function drawStepBands(
  context: CanvasRenderingContext2D,
  state: TimelineState,
  plotPx: number,
  heightPx: number,
  theme: Theme,
): void {
  const {window, scrollPx} = state;
  const steps = state.steps.filter(({process}) => process === state.steps[0].process);
  context.fillStyle = theme.foreground;
  for (let i = 0; i < steps.length; i++) {
    const {startNs, endNs} = steps[i];
    if (endNs < window.fromNs || startNs > window.toNs) continue;
    const left = xOf(state, plotPx, startNs);
    const width = xOf(state, plotPx, endNs) - left;
    if (width < leastBandPx) continue;
    // High contrast has edges instead of shades.
    context.globalAlpha = bandAlpha;
    if (i % 2 === 1 && !theme.isHighContrast) context.fillRect(left, scrollPx, width, heightPx);
    context.globalAlpha = edgeAlpha;
    context.fillRect(Math.round(left), scrollPx, 1, heightPx);
    context.fillRect(Math.round(left + width) - 1, scrollPx, 1, heightPx);
  }
  context.globalAlpha = 1;
}

/** Draws the strip of steps above the rows. */
export function drawSteps(
  context: CanvasRenderingContext2D,
  state: TimelineState,
  widthPx: number,
  plotPx: number,
  theme: Theme,
): void {
  const top = overviewPx + rulerPx;
  context.fillStyle = theme.background;
  context.fillRect(0, top, widthPx, stepsPx);
  context.fillStyle = theme.muted;
  drawLabel(context, t('Steps'), 8, top + stepsPx / 2, state.gutterPx - 16);
  const {steps, window} = state;
  const places = placesInProcess(steps);
  let drawnToPx = -Infinity;
  for (let i = 0; i < steps.length; i++) {
    const {startNs, endNs, number} = steps[i];
    if (endNs < window.fromNs || startNs > window.toNs) continue;
    const left = Math.max(state.gutterPx, xOf(state, plotPx, startNs));
    const right = Math.min(widthPx, xOf(state, plotPx, endNs));
    // Thousands of steps that share a pixel are drawn once.
    if (right - drawnToPx < 1) continue;
    drawnToPx = right;
    const colors = stepColors(places[i], theme);
    context.fillStyle = colors.fill;
    context.fillRect(left, top + 1, Math.max(1, right - left - 1), stepsPx - 2);
    context.fillStyle = colors.text;
    drawLabel(context, t('Step {0}', number), left + 4, top + stepsPx / 2, right - left - 8);
  }
}

/**
 * Returns the number of each step within its process, from 0, so that equal steps of several processes have the same
 * colour.
 */
function placesInProcess(steps: readonly Step[]): number[] {
  const counts = new Map<number, number>();
  return steps.map(({process}) => {
    const place = counts.get(process) ?? 0;
    counts.set(process, place + 1);
    return place;
  });
}
