import {timeTicks} from '../../src/core/layout/time-ticks.js';
import {
  groupHeightPx,
  laneHeightPx,
  laneTopPx,
  rowsBetween,
  type TimelineRow,
} from '../../src/core/layout/timeline-rows.js';
import type {VisibleSlices} from '../../src/core/layout/visible-slices.js';
import {kindColors, neutralColors} from '../shared/colors.js';
import {drawLabel} from '../shared/label.js';
import type {Theme} from '../shared/theme.js';
import {blockSpan, gutterPx, rulerPx, type TimelineState} from './timeline-state.js';

/** Distance between ticks of the ruler that leaves room for their texts. */
const tickPx = 110;
const barPx = laneHeightPx - 2;
const labelPaddingPx = 4;
/** Others are drawn this faint while some names stand out. */
const dimmedAlpha = 0.3;
const leastOpacity = 0.45;

type Context = CanvasRenderingContext2D;

/** Paints the whole timeline: slices, names of tracks, ruler. */
export function drawTimeline(
  context: Context,
  state: TimelineState,
  size: {widthPx: number; heightPx: number},
  theme: Theme,
): void {
  const {widthPx, heightPx} = size;
  const plotPx = Math.max(1, widthPx - gutterPx);
  context.fillStyle = theme.background;
  context.fillRect(0, 0, widthPx, heightPx);
  context.textBaseline = 'middle';
  context.font = `11px ${theme.font}`;
  const rows = rowsBetween(state.rows, state.scrollPx, state.scrollPx + heightPx - rulerPx);
  context.save();
  context.beginPath();
  context.rect(0, rulerPx, widthPx, heightPx - rulerPx);
  context.clip();
  context.translate(0, rulerPx - state.scrollPx);
  drawGrid(context, state, plotPx, heightPx, theme);
  drawBlocks(context, state, rows, plotPx, theme);
  for (const row of rows) drawRowLabel(context, row, widthPx, theme);
  context.restore();
  drawRuler(context, state, widthPx, plotPx, theme);
}

function drawGrid(
  context: Context,
  {window, scrollPx}: TimelineState,
  plotPx: number,
  heightPx: number,
  theme: Theme,
): void {
  context.fillStyle = theme.border;
  context.globalAlpha = 0.4;
  for (const {ns} of timeTicks(window, plotPx / tickPx)) {
    const x = gutterPx + ((ns - window.fromNs) / (window.toNs - window.fromNs)) * plotPx;
    if (x >= gutterPx) context.fillRect(Math.round(x), scrollPx, 1, heightPx);
  }
  context.globalAlpha = 1;
}

function drawBlocks(
  context: Context,
  state: TimelineState,
  rows: readonly TimelineRow[],
  plotPx: number,
  theme: Theme,
): void {
  const {answer} = state;
  if (!answer) return;
  const {track, lane} = answer.blocks;
  const rowOfTrack = new Map(rows.flatMap(row => (row.kind === 'track' ? [[row.track.track, row] as const] : [])));
  context.save();
  context.beginPath();
  context.rect(gutterPx, state.scrollPx, plotPx, 1e6);
  context.clip();
  for (let block = 0; block < answer.blocks.length; block++) {
    const row = rowOfTrack.get(track[block]);
    const span = blockSpan(state, plotPx, block);
    if (!row || span.leftPx > plotPx || span.leftPx + span.widthPx < 0) continue;
    const left = Math.max(span.leftPx, -2);
    const gapPx = span.widthPx > 3 ? 1 : 0;
    const width = Math.max(1, Math.min(span.leftPx + span.widthPx, plotPx + 2) - left - gapPx);
    drawBlock(context, state, answer, block, {left, width, top: laneTopPx(row, lane[block])}, theme);
  }
  context.restore();
  context.globalAlpha = 1;
}

/** One block; `left` counts from the gutter's right edge. */
function drawBlock(
  context: Context,
  state: TimelineState,
  {blocks, names, kinds}: VisibleSlices,
  block: number,
  {left, top, width}: {left: number; top: number; width: number},
  theme: Theme,
): void {
  const isMerged = blocks.count[block] > 1;
  const name = blocks.name[block] < 0 ? '' : names[blocks.name[block]];
  const colors = blocks.name[block] < 0 ? neutralColors(theme) : kindColors(kinds[blocks.kind[block]], name, theme);
  const isDimmed = state.highlighted.size > 0 && !state.highlighted.has(name);
  // A merged block is as opaque as it is busy, but never so faint that it could be missed.
  const opacity = isMerged ? Math.max(leastOpacity, blocks.busyFraction[block]) : 1;
  context.globalAlpha = isDimmed ? dimmedAlpha * opacity : opacity;
  context.fillStyle = colors.fill;
  context.fillRect(gutterPx + left, top, width, barPx);
  const mark = markOf(state, blocks, block, theme, width);
  if (mark) outline(context, gutterPx + left, top, width, mark.color, mark.lineWidth);
  if (isMerged) return;
  context.fillStyle = colors.text;
  // A slice that begins left of the window keeps its name in sight.
  const textLeft = Math.max(left, 0) + labelPaddingPx;
  drawLabel(context, name, gutterPx + textLeft, top + barPx / 2, left + width - textLeft - labelPaddingPx);
}

function markOf(
  {selectedSlice, hovered}: TimelineState,
  blocks: VisibleSlices['blocks'],
  block: number,
  theme: Theme,
  width: number,
): {color: string; lineWidth: number} | null {
  if (blocks.slice[block] === selectedSlice && blocks.count[block] === 1) return {color: theme.selection, lineWidth: 2};
  if (hovered?.block === block) return {color: theme.focus, lineWidth: 1};
  return theme.isHighContrast && width > 3 ? {color: theme.border, lineWidth: 1} : null;
}

function outline(context: Context, left: number, top: number, width: number, color: string, lineWidth: number): void {
  context.strokeStyle = color;
  context.lineWidth = lineWidth;
  context.strokeRect(left + lineWidth / 2, top + lineWidth / 2, Math.max(1, width - lineWidth), barPx - lineWidth);
}

function drawRowLabel(context: Context, row: TimelineRow, widthPx: number, theme: Theme): void {
  if (row.kind === 'group') {
    context.fillStyle = theme.headerBackground;
    context.fillRect(0, row.topPx, widthPx, groupHeightPx - 1);
    context.fillStyle = theme.foreground;
    context.font = `600 11px ${theme.font}`;
    drawLabel(context, row.label, 8, row.topPx + groupHeightPx / 2, widthPx - 16);
    context.font = `11px ${theme.font}`;
    return;
  }
  context.fillStyle = theme.background;
  context.fillRect(0, row.topPx, gutterPx, row.heightPx);
  context.fillStyle = theme.muted;
  drawLabel(context, row.track.name, 16, row.topPx + 4 + barPx / 2, gutterPx - 22);
  context.fillStyle = theme.border;
  context.fillRect(gutterPx - 1, row.topPx, 1, row.heightPx);
  context.fillRect(0, row.topPx + row.heightPx - 1, widthPx, 1);
}

function drawRuler(context: Context, {window}: TimelineState, widthPx: number, plotPx: number, theme: Theme): void {
  context.fillStyle = theme.headerBackground;
  context.fillRect(0, 0, widthPx, rulerPx);
  context.fillStyle = theme.border;
  context.fillRect(0, rulerPx - 1, widthPx, 1);
  for (const {ns, text} of timeTicks(window, plotPx / tickPx)) {
    const x = gutterPx + ((ns - window.fromNs) / (window.toNs - window.fromNs)) * plotPx;
    if (x < gutterPx) continue;
    context.fillStyle = theme.border;
    context.fillRect(Math.round(x), rulerPx - 6, 1, 6);
    context.fillStyle = theme.foreground;
    drawLabel(context, text, x + 4, rulerPx / 2, Math.min(tickPx * 1.5, widthPx - x - 6));
  }
}
