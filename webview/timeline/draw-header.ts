import {trackText} from '../../src/core/names/track-text.js';
import {formatDuration} from '../../src/core/format/duration.js';
import {timeTicks} from '../../src/core/layout/time-ticks.js';
import {areaColor} from '../shared/colors.js';
import {drawLabel} from '../shared/label.js';
import type {Theme} from '../shared/theme.js';
import {drawSteps} from './draw-steps.js';
import {overviewPx, rulerPx, xOf, type TimelineState} from './timeline-state.js';
import {t} from '../shared/translate.js';

/** Distance between ticks of the ruler that leaves room for their texts. */
export const tickPx = 110;
const busyHue = 165;
/** A narrower window could not be seen or grabbed in the overview. */
const leastBrushPx = 3;

/** Draws the parts above the rows: how busy the whole trace is, the ruler, the steps. */
export function drawHeader(
  context: CanvasRenderingContext2D,
  state: TimelineState,
  widthPx: number,
  plotPx: number,
  theme: Theme,
): void {
  drawOverview(context, state, widthPx, plotPx, theme);
  drawRuler(context, state, widthPx, plotPx, theme);
  if (state.steps.length > 0) drawSteps(context, state, widthPx, plotPx, theme);
}

function drawOverview(
  context: CanvasRenderingContext2D,
  {activity, window, spanNs, gutterPx}: TimelineState,
  widthPx: number,
  plotPx: number,
  theme: Theme,
): void {
  context.fillStyle = theme.background;
  context.fillRect(0, 0, widthPx, overviewPx);
  context.fillStyle = theme.muted;
  drawLabel(context, overviewLabel(activity.map(({label}) => label)), 8, overviewPx / 2, gutterPx - 16);
  const rowPx = overviewPx / Math.max(1, activity.length);
  // In high contrast, a pale area without an edge would be invisible.
  context.fillStyle = theme.isHighContrast ? theme.border : areaColor(busyHue);
  activity.forEach(({busy}, device) => {
    const partPx = plotPx / busy.length;
    const bottom = (device + 1) * rowPx;
    for (let part = 0; part < busy.length; part++) {
      if (busy[part] <= 0) continue;
      const px = Math.max(1, Math.min(1, busy[part]) * (rowPx - 1));
      context.fillRect(gutterPx + part * partPx, bottom - px, Math.max(1, partPx), px);
    }
  });
  drawBrush(context, {window, spanNs, gutterPx}, plotPx, theme);
  context.fillStyle = theme.border;
  context.fillRect(0, overviewPx - 1, widthPx, 1);
}

function overviewLabel(labels: readonly string[]): string {
  if (labels.length === 0) return t('Whole trace');
  const [first, last] = [labels[0], labels[labels.length - 1]].map(trackText);
  return t('{0} busy', labels.length === 1 ? first : `${first} … ${last}`);
}

/** Draws the window in the whole trace: times outside of it are dimmed. */
function drawBrush(
  context: CanvasRenderingContext2D,
  {window, spanNs, gutterPx}: Pick<TimelineState, 'window' | 'spanNs' | 'gutterPx'>,
  plotPx: number,
  theme: Theme,
): void {
  const pxPerNs = plotPx / Math.max(1, spanNs);
  const left = Math.min(plotPx, Math.max(0, window.fromNs * pxPerNs));
  const right = Math.max(left + leastBrushPx, Math.min(plotPx, window.toNs * pxPerNs));
  context.globalAlpha = 0.6;
  context.fillStyle = theme.background;
  context.fillRect(gutterPx, 0, left, overviewPx);
  context.fillRect(gutterPx + right, 0, plotPx - right, overviewPx);
  context.globalAlpha = 1;
  context.strokeStyle = theme.focus;
  context.lineWidth = 1;
  context.strokeRect(gutterPx + left + 0.5, 0.5, Math.max(1, right - left - 1), overviewPx - 2);
}

function drawRuler(
  context: CanvasRenderingContext2D,
  state: TimelineState,
  widthPx: number,
  plotPx: number,
  theme: Theme,
): void {
  const bottom = overviewPx + rulerPx;
  context.fillStyle = theme.headerBackground;
  context.fillRect(0, overviewPx, widthPx, rulerPx);
  for (const {ns, text} of timeTicks(state.window, plotPx / tickPx)) {
    const x = xOf(state, plotPx, ns);
    if (x < state.gutterPx) continue;
    context.fillStyle = theme.border;
    context.fillRect(Math.round(x), bottom - 6, 1, 6);
    context.fillStyle = theme.foreground;
    drawLabel(context, text, x + 4, overviewPx + rulerPx / 2, Math.min(tickPx * 1.5, widthPx - x - 6));
  }
  if (state.measured) drawMeasured(context, state, state.measured, plotPx, theme);
  context.fillStyle = theme.border;
  context.fillRect(0, bottom - 1, widthPx, 1);
}

function drawMeasured(
  context: CanvasRenderingContext2D,
  state: TimelineState,
  {fromNs, toNs}: {fromNs: number; toNs: number},
  plotPx: number,
  theme: Theme,
): void {
  const left = Math.max(state.gutterPx, xOf(state, plotPx, fromNs));
  const right = Math.min(state.gutterPx + plotPx, xOf(state, plotPx, toNs));
  if (right <= left) return;
  context.fillStyle = theme.background;
  context.fillRect(left, overviewPx, right - left, rulerPx);
  context.fillStyle = theme.focus;
  context.fillRect(left, overviewPx, 1, rulerPx);
  context.fillRect(right - 1, overviewPx, 1, rulerPx);
  context.fillRect(left, overviewPx + rulerPx - 3, right - left, 2);
  context.fillStyle = theme.foreground;
  drawLabel(context, formatDuration(toNs - fromNs), left + 5, overviewPx + rulerPx / 2 - 1, right - left - 8);
}
