import {laneHeightPx, laneTopPx, type TimelineRow, type TrackRow} from '../../src/core/layout/timeline-rows.js';
import {mainName, type VisibleSlices} from '../../src/core/layout/visible-slices.js';
import {shortKernelName} from '../../src/core/names/short-kernel-name.js';
import type {MarkColors} from '../shared/colors.js';
import {drawLabel} from '../shared/label.js';
import type {Theme} from '../shared/theme.js';
import {blockColors} from './block-colors.js';
import {answerScale, type TimelineState} from './timeline-state.js';

export const barPx = laneHeightPx - 2;
const labelPaddingPx = 4;
/** The opacity of other blocks while some names are highlighted. */
const dimmedAlpha = 0.3;
const leastOpacity = 0.45;
/** Narrower blocks have no room for an edge. */
const leastEdgedPx = 3;

/** Draws the slices of the visible rows. */
export function drawBlocks(
  context: CanvasRenderingContext2D,
  state: TimelineState,
  rows: readonly TimelineRow[],
  plotPx: number,
  theme: Theme,
): void {
  if (!state.answer) return;
  const {slices} = state.answer;
  const {track, lane, leftPx, widthPx, count, length} = slices.blocks;
  const {scale, shiftPx} = answerScale(state, plotPx);
  const rowsOfTrack = trackRows(rows);
  let top = NaN;
  for (let block = 0; block < length; block++) {
    // Blocks are ordered by lane: most are on the lane of the one before.
    if (block === 0 || track[block] !== track[block - 1] || lane[block] !== lane[block - 1]) {
      top = topOf(rowsOfTrack.get(track[block]), lane[block]);
    }
    if (Number.isNaN(top)) continue;
    const start = leftPx[block] * scale + shiftPx;
    const end = start + widthPx[block] * scale;
    if (start > plotPx || end < 0) continue;
    const left = Math.max(start, -2);
    // Merged blocks touch: a comb of gaps would look like slices.
    const gapPx = count[block] === 1 && end - start > 3 ? 1 : 0;
    drawBlock(context, state, slices, block, left, top, Math.max(1, Math.min(end, plotPx + 2) - left - gapPx), theme);
  }
  context.globalAlpha = 1;
}

function trackRows(rows: readonly TimelineRow[]): Map<number, TrackRow[]> {
  const found = new Map<number, TrackRow[]>();
  for (const row of rows) {
    if (row.kind !== 'track') continue;
    const same = found.get(row.track.track);
    if (same) same.push(row);
    else found.set(row.track.track, [row]);
  }
  return found;
}

/** Returns the top of a lane; NaN if no visible row shows it. */
function topOf(rows: readonly TrackRow[] | undefined, lane: number): number {
  for (const row of rows ?? []) {
    const at = lane - row.section.firstLane;
    if (at >= 0 && at < row.laneCount) return laneTopPx(row, lane);
  }
  return NaN;
}

/** Draws one block; `left` counts from the gutter's right edge. */
function drawBlock(
  context: CanvasRenderingContext2D,
  state: TimelineState,
  {blocks, names, kinds, groups, lit}: VisibleSlices,
  block: number,
  left: number,
  top: number,
  width: number,
  theme: Theme,
): void {
  const isMerged = blocks.count[block] > 1;
  const nameIndex = blocks.name[block];
  const name = nameIndex < 0 ? '' : names[nameIndex];
  const group = groups && groups.of[block] >= 0 ? groups.names[groups.of[block]] : null;
  const main = mainName({blocks, names}, block);
  const colors = blockColors(kinds[blocks.kind[block]], main, state.coloring, theme, group);
  const isDimmed = state.highlighted.length > 0 && lit?.[block] === 0;
  // A merged block is as opaque as it is busy, but never too faint to be seen.
  const opacity = isMerged ? Math.max(leastOpacity, blocks.busyFraction[block]) : 1;
  context.globalAlpha = isDimmed ? dimmedAlpha * opacity : opacity;
  context.fillStyle = fillOf(colors, width, theme);
  context.fillRect(state.gutterPx + left, top, width, barPx);
  markBlock(context, state, blocks, block, left, top, width, theme);
  if (isMerged || width < 2 * labelPaddingPx) return;
  context.fillStyle = colors.text;
  // A slice that begins left of the window keeps its name visible.
  const textLeft = Math.max(left, 0) + labelPaddingPx;
  const label = labelOf(kinds[blocks.kind[block]], name);
  drawLabel(context, label, state.gutterPx + textLeft, top + barPx / 2, left + width - textLeft - labelPaddingPx);
}

/** The tooltip and the details contain the whole name of a kernel. */
function labelOf(kind: string, name: string): string {
  return kind === 'kernel' ? shortKernelName(name) : name;
}

/** High contrast is in the edges: a block that is too narrow for one is drawn as an edge. */
function fillOf({fill}: MarkColors, width: number, {isHighContrast, border}: Theme): string {
  return isHighContrast && width <= leastEdgedPx ? border : fill;
}

function markBlock(
  context: CanvasRenderingContext2D,
  {selectedSlice, hovered, gutterPx}: TimelineState,
  blocks: VisibleSlices['blocks'],
  block: number,
  left: number,
  top: number,
  width: number,
  theme: Theme,
): void {
  if (selectedSlice >= 0 && blocks.slice[block] === selectedSlice && blocks.count[block] === 1) {
    outlineBlock(context, gutterPx + left, top, width, theme.selection, 2);
  } else if (hovered?.kind === 'block' && hovered.row === block) {
    outlineBlock(context, gutterPx + left, top, width, theme.focus, 1);
  } else if (theme.isHighContrast && width > leastEdgedPx)
    outlineBlock(context, gutterPx + left, top, width, theme.border, 1);
}

function outlineBlock(
  context: CanvasRenderingContext2D,
  left: number,
  top: number,
  width: number,
  color: string,
  lineWidth: number,
): void {
  context.strokeStyle = color;
  context.lineWidth = lineWidth;
  const inset = lineWidth / 2;
  context.strokeRect(left + inset, top + inset, Math.max(1, width - lineWidth), barPx - lineWidth);
}
