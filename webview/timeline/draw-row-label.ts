import {laneHeightPx, type DataRow, type GroupRow, type TimelineRow} from '../../src/core/layout/timeline-rows.js';
import {drawLabel} from '../shared/label.js';
import type {Theme} from '../shared/theme.js';
import {foldPx, pinPx, type TimelineState} from './timeline-state.js';

/** Draws a heading, or a row's name with its controls to fold and pin it. */
export function drawRowLabel(
  context: CanvasRenderingContext2D,
  state: TimelineState,
  row: TimelineRow,
  widthPx: number,
  theme: Theme,
): void {
  if (row.kind === 'group') drawGroup(context, row, widthPx, theme);
  else drawName(context, state, row, widthPx, theme);
  if (row.key !== state.focusedRow) return;
  context.strokeStyle = theme.focus;
  context.lineWidth = 1;
  context.strokeRect(0.5, row.topPx + 0.5, state.gutterPx - 2, row.heightPx - 2);
}

/** Draws where the dragged row would be placed: a line between its siblings. */
export function drawDrop(
  context: CanvasRenderingContext2D,
  {drop}: Pick<TimelineState, 'drop'>,
  widthPx: number,
  theme: Theme,
): void {
  if (!drop) return;
  const {side, topPx, bottomPx} = drop.place;
  context.fillStyle = theme.focus;
  context.fillRect(0, Math.max(0, (side === 'before' ? topPx : bottomPx) - 1), widthPx, 2);
}

function drawGroup(context: CanvasRenderingContext2D, row: GroupRow, widthPx: number, theme: Theme): void {
  context.fillStyle = theme.headerBackground;
  context.fillRect(0, row.topPx, widthPx, row.heightPx - 1);
  const middle = row.topPx + row.heightPx / 2;
  context.fillStyle = theme.foreground;
  drawChevron(context, 9, middle, row.isFolded);
  context.font = `600 11px ${theme.font}`;
  drawLabel(context, row.label, foldPx, middle, widthPx - foldPx - 8);
  context.font = `11px ${theme.font}`;
}

function drawName(
  context: CanvasRenderingContext2D,
  state: TimelineState,
  row: DataRow,
  widthPx: number,
  theme: Theme,
): void {
  context.fillStyle = theme.background;
  context.fillRect(0, row.topPx, state.gutterPx, row.heightPx);
  const namePx = Math.min(row.heightPx, laneHeightPx + 6);
  // The name of a row whose top is scrolled away stays visible as long as the row.
  const topPx = Math.min(Math.max(row.topPx, state.scrollPx), row.topPx + row.heightPx - namePx);
  const middle = topPx + namePx / 2;
  context.fillStyle = theme.muted;
  if (row.kind === 'track' && row.section.laneCount > 1) drawChevron(context, 15, middle, row.isFolded);
  const hasPin = row.isPinned || state.hoveredRow === row.key;
  drawLabel(context, row.shortLabel, foldPx + 6, middle, state.gutterPx - foldPx - 10 - (hasPin ? pinPx : 0));
  if (hasPin) {
    context.fillStyle = row.isPinned ? theme.foreground : theme.muted;
    drawPin(context, state.gutterPx - pinPx / 2, middle);
  }
  context.fillStyle = theme.border;
  context.fillRect(state.gutterPx - 1, row.topPx, 1, row.heightPx);
  context.fillRect(0, row.topPx + row.heightPx - 1, widthPx, 1);
}

/** Points right if folded, down if open. */
function drawChevron(context: CanvasRenderingContext2D, x: number, y: number, isFolded: boolean): void {
  context.beginPath();
  if (isFolded) {
    context.moveTo(x - 2, y - 4);
    context.lineTo(x + 3, y);
    context.lineTo(x - 2, y + 4);
  } else {
    context.moveTo(x - 4, y - 2);
    context.lineTo(x, y + 3);
    context.lineTo(x + 4, y - 2);
  }
  context.closePath();
  context.fill();
}

function drawPin(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.fillRect(x - 3, y - 5, 6, 5);
  context.fillRect(x - 5, y, 10, 1);
  context.fillRect(x, y, 1, 5);
}
