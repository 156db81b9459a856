import {laneHeightPx, laneTopPx, rowOfLane} from '../../src/core/layout/timeline-rows.js';
import type {SliceDetails} from '../../src/core/questions/slice-details.js';
import type {SliceLinkKind} from '../../src/core/questions/slice-links.js';
import type {Theme} from '../shared/theme.js';
import {bandsOf} from './area-place.js';
import {xOf, type TimelineState} from './timeline-state.js';

const arrowPx = 5;
/** Flows are distinguished by their line style. */
const dashes: Readonly<Record<SliceLinkKind, number[]>> = {launch: [], backward: [4, 3], wait: [1, 3]};

/**
 * Draws the parts above the rows: flows of the selection, the marked area, marks, the measured time, the linked cursor.
 */
export function drawOverlay(
  context: CanvasRenderingContext2D,
  state: TimelineState,
  plotPx: number,
  heightPx: number,
  theme: Theme,
): void {
  drawFlows(context, state, plotPx, theme);
  const {scrollPx, area, measured, marks, cursorNs} = state;
  if (area) {
    const left = xOf(state, plotPx, area.fromNs);
    const width = xOf(state, plotPx, area.toNs) - left;
    context.fillStyle = theme.focus;
    context.strokeStyle = theme.focus;
    context.lineWidth = 1;
    for (const {topPx, bottomPx} of bandsOf(state.rows, area)) {
      context.globalAlpha = 0.15;
      context.fillRect(left, topPx, width, bottomPx - topPx);
      context.globalAlpha = 1;
      context.strokeRect(left + 0.5, topPx + 0.5, Math.max(1, width - 1), bottomPx - topPx - 1);
    }
  }
  context.fillStyle = theme.focus;
  for (const ns of measured ? [measured.fromNs, measured.toNs] : []) {
    context.fillRect(Math.round(xOf(state, plotPx, ns)), scrollPx, 1, heightPx);
  }
  context.fillStyle = theme.foreground;
  if (cursorNs !== null) context.fillRect(Math.round(xOf(state, plotPx, cursorNs)), scrollPx, 1, heightPx);
  context.fillStyle = theme.selection;
  for (const ns of marks) {
    const x = Math.round(xOf(state, plotPx, ns));
    for (let y = scrollPx; y < scrollPx + heightPx; y += 6) context.fillRect(x, y, 1, 3);
  }
}

function drawFlows(context: CanvasRenderingContext2D, state: TimelineState, plotPx: number, theme: Theme): void {
  for (const {kind, from, to} of state.links) {
    // A wait begins when the awaited work ends, and lasts until then.
    const fromNs = from.startNs + (kind === 'wait' ? from.durationNs : 0);
    const toNs = to.startNs + (to.startNs < fromNs && kind === 'wait' ? to.durationNs : 0);
    const start = endOf(state, plotPx, from, fromNs);
    const end = endOf(state, plotPx, to, toNs);
    // Both ends are far outside on the same side: no part of the curve is visible.
    if (start && end && Math.max(start.x, end.x) >= state.gutterPx) drawFlow(context, start, end, dashes[kind], theme);
  }
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns the middle of a slice's left edge; null if its row is not shown. */
function endOf(state: TimelineState, plotPx: number, {track, lane}: SliceDetails, atNs: number): Point | null {
  const row = rowOfLane(state.rows, track, lane);
  if (!row) return null;
  const shownLane = row.isFolded ? row.section.firstLane : lane;
  return {x: xOf(state, plotPx, atNs), y: laneTopPx(row, shownLane) + laneHeightPx / 2};
}

function drawFlow(context: CanvasRenderingContext2D, from: Point, to: Point, dash: number[], theme: Theme): void {
  const bend = Math.max(24, Math.min(120, Math.abs(to.x - from.x) / 2));
  context.strokeStyle = theme.selection;
  context.lineWidth = 1.5;
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.bezierCurveTo(from.x + bend, from.y, to.x - bend, to.y, to.x, to.y);
  context.stroke();
  context.setLineDash([]);
  context.fillStyle = theme.selection;
  context.beginPath();
  context.moveTo(to.x, to.y);
  context.lineTo(to.x - arrowPx - 2, to.y - arrowPx);
  context.lineTo(to.x - arrowPx - 2, to.y + arrowPx);
  context.closePath();
  context.fill();
}
