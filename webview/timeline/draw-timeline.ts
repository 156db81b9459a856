import {timeTicks} from '../../src/core/layout/time-ticks.js';
import {rowsBetween} from '../../src/core/layout/timeline-rows.js';
import type {Theme} from '../shared/theme.js';
import {drawBackdrop} from './draw-backdrop.js';
import {drawBlocks} from './draw-blocks.js';
import {drawHeader, tickPx} from './draw-header.js';
import {drawStepBands} from './draw-steps.js';
import {drawOverlay} from './draw-overlay.js';
import {drawPath} from './draw-path.js';
import {drawCounters, drawInstants} from './draw-points.js';
import {drawDrop, drawRowLabel} from './draw-row-label.js';
import {headerPx, xOf, type TimelineState} from './timeline-state.js';

/** Draws the whole timeline: overview, ruler, steps, slices, instants, counters, flows, names of rows. */
export function drawTimeline(
  context: CanvasRenderingContext2D,
  state: TimelineState,
  size: {widthPx: number; heightPx: number},
  theme: Theme,
): void {
  const {widthPx, heightPx} = size;
  const plotPx = Math.max(1, widthPx - state.gutterPx);
  const topPx = headerPx(state);
  context.fillStyle = theme.background;
  context.fillRect(0, 0, widthPx, heightPx);
  context.textBaseline = 'middle';
  context.font = `11px ${theme.font}`;
  const rows = rowsBetween(state.rows, state.scrollPx, state.scrollPx + heightPx - topPx);
  context.save();
  context.beginPath();
  context.rect(0, topPx, widthPx, heightPx - topPx);
  context.clip();
  context.translate(0, topPx - state.scrollPx);
  inPlot(context, state, plotPx, heightPx, () => drawStepBands(context, state, plotPx, heightPx, theme));
  drawGrid(context, state, plotPx, heightPx, theme);
  inPlot(context, state, plotPx, heightPx, () => {
    const draw = (known: TimelineState) => {
      drawCounters(context, known, rows, plotPx, theme);
      drawBlocks(context, known, rows, plotPx, theme);
      drawInstants(context, known, rows, plotPx, theme);
    };
    drawBackdrop(context, state, rows, plotPx, draw);
    draw(state);
  });
  for (const row of rows) drawRowLabel(context, state, row, widthPx, theme);
  inPlot(context, state, plotPx, heightPx, () => {
    drawPath(context, state, plotPx, theme);
    drawOverlay(context, state, plotPx, heightPx, theme);
  });
  drawDrop(context, state, widthPx, theme);
  context.restore();
  drawHeader(context, state, widthPx, plotPx, theme);
}

/** Draws in the plot: clipped, so that it does not cover the names of the rows. */
function inPlot(
  context: CanvasRenderingContext2D,
  {scrollPx, gutterPx}: TimelineState,
  plotPx: number,
  heightPx: number,
  draw: () => void,
): void {
  context.save();
  context.beginPath();
  context.rect(gutterPx, scrollPx, plotPx, heightPx);
  context.clip();
  draw();
  context.restore();
}

function drawGrid(
  context: CanvasRenderingContext2D,
  state: TimelineState,
  plotPx: number,
  heightPx: number,
  theme: Theme,
): void {
  context.fillStyle = theme.border;
  context.globalAlpha = 0.4;
  for (const {ns} of timeTicks(state.window, plotPx / tickPx)) {
    const x = xOf(state, plotPx, ns);
    if (x >= state.gutterPx) context.fillRect(Math.round(x), state.scrollPx, 1, heightPx);
  }
  context.globalAlpha = 1;
}
