import {formatDuration} from '../../src/core/format/duration.js';
import type {TimelineCalls, TimelineSteps} from '../../src/core/job/job-timeline.js';
import type {TimelineWindow} from '../../src/core/job/timeline-window.js';
import {classColors} from '../../src/core/layout/class-colors.js';
import {partColors} from '../shared/part-colors.js';
import type {Theme} from '../shared/theme.js';
import {leastMarkPx, placeOf, xOf, type RowLayout} from './rank-rows.js';
import {t} from '../shared/translate.js';

/** With more calls than this, lines between their ends would cover them. */
const mostLinks = 300;

/**
 * Draws the rows of ranks: steps, calls with their waiting time, and lines between the ends of each call on all ranks.
 */
export function drawRankRows(
  context: CanvasRenderingContext2D,
  window: TimelineWindow,
  layout: RowLayout,
  ranks: readonly number[],
  chosen: number,
  theme: Theme,
): void {
  const {widthPx, heightPx, leftPx} = layout;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, widthPx, heightPx);
  context.save();
  context.beginPath();
  context.rect(leftPx, 0, widthPx - leftPx, heightPx);
  context.clip();
  drawSteps(context, window.steps, layout, theme);
  drawCalls(context, window.calls, layout, theme);
  drawLinks(context, window.calls, layout, theme, chosen);
  context.restore();
  drawLabels(context, layout, ranks, theme);
}

function drawSteps(context: CanvasRenderingContext2D, steps: TimelineSteps, layout: RowLayout, theme: Theme): void {
  context.font = `11px ${theme.font}`;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  let labelled = -Infinity;
  steps.row.forEach((row, at) => {
    const [from, to] = [xOf(steps.startNs[at], layout), xOf(steps.endNs[at], layout)];
    const {yPx} = placeOf(row, 0, layout);
    if (theme.isHighContrast) {
      // The strong colour of borders would hide the calls.
      context.strokeStyle = theme.border;
      context.lineWidth = 1;
      context.strokeRect(from + 0.5, yPx + 0.5, to - from - 1, layout.rowHeightPx - 1);
    } else {
      context.fillStyle = steps.number[at] % 2 === 0 ? theme.border : theme.headerBackground;
      context.globalAlpha = 0.5;
      context.fillRect(from, yPx, to - from, layout.rowHeightPx);
      context.globalAlpha = 1;
    }
    const text = t('Step {0}', steps.number[at]);
    const x = Math.max(from, layout.leftPx) + 3;
    if (row !== steps.row[0] || x < labelled) return;
    context.fillStyle = theme.muted;
    context.fillText(text, x, layout.topPx / 2);
    labelled = x + context.measureText(text).width + 8;
  });
}

function drawCalls(context: CanvasRenderingContext2D, calls: TimelineCalls, layout: RowLayout, theme: Theme): void {
  const transfer = classColors('communication', theme).fill;
  const waiting = partColors('idle/wait', theme).fill;
  calls.row.forEach((row, at) => {
    const {yPx, heightPx} = placeOf(row, calls.lane[at], layout);
    const from = xOf(calls.startNs[at], layout);
    const widthPx = Math.max(leastMarkPx, xOf(calls.endNs[at], layout) - from);
    const tookNs = calls.endNs[at] - calls.startNs[at];
    const waitPx = tookNs > 0 ? (widthPx * Math.min(tookNs, calls.waitNs[at])) / tookNs : 0;
    context.fillStyle = waiting;
    context.fillRect(from, yPx, waitPx, heightPx);
    context.fillStyle = transfer;
    context.fillRect(from + waitPx, yPx, widthPx - waitPx, heightPx);
  });
}

function drawLinks(
  context: CanvasRenderingContext2D,
  calls: TimelineCalls,
  layout: RowLayout,
  theme: Theme,
  chosen: number,
): void {
  const marksOf = Map.groupBy(
    [...calls.call.keys()].filter(at => calls.call[at] >= 0),
    at => calls.call[at],
  );
  const chosenCall = chosen < 0 ? -1 : calls.call[chosen];
  for (const [call, marks] of marksOf) {
    const isChosen = call === chosenCall;
    if (!isChosen && marksOf.size > mostLinks) continue;
    context.strokeStyle = isChosen ? theme.focus : theme.muted;
    context.lineWidth = isChosen ? 2 : 1;
    context.globalAlpha = isChosen ? 1 : 0.6;
    context.beginPath();
    marks.forEach((at, place) => {
      const {yPx, heightPx} = placeOf(calls.row[at], calls.lane[at], layout);
      const x = xOf(calls.endNs[at], layout);
      if (place === 0) context.moveTo(x, yPx);
      else context.lineTo(x, yPx);
      context.lineTo(x, yPx + heightPx);
    });
    context.stroke();
  }
  context.globalAlpha = 1;
  if (chosen < 0) return;
  const {yPx, heightPx} = placeOf(calls.row[chosen], calls.lane[chosen], layout);
  const from = xOf(calls.startNs[chosen], layout);
  // Two colours: one of them contrasts with anything below.
  [theme.background, theme.focus].forEach((stroke, at) => {
    context.strokeStyle = stroke;
    context.lineWidth = at === 0 ? 4 : 2;
    context.strokeRect(from, yPx, Math.max(leastMarkPx, xOf(calls.endNs[chosen], layout) - from), heightPx);
  });
}

function drawLabels(
  context: CanvasRenderingContext2D,
  layout: RowLayout,
  ranks: readonly number[],
  theme: Theme,
): void {
  context.fillStyle = theme.foreground;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  const {leftPx, topPx, rowHeightPx} = layout;
  const every = Math.ceil(13 / rowHeightPx);
  ranks.forEach((rank, row) => {
    if (row % every > 0) return;
    const y = topPx + row * rowHeightPx + Math.max(5, rowHeightPx / 2);
    context.fillText(t('Rank {0}', rank), leftPx - 6, y, leftPx - 8);
  });
  context.fillText(formatDuration(layout.fromNs), leftPx - 6, topPx / 2, leftPx - 8);
}
