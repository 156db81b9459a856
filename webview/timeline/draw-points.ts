import {formatCounterValue} from '../../src/core/names/counter-value.js';
import type {CounterRow, InstantsRow, TimelineRow} from '../../src/core/layout/timeline-rows.js';
import type {VisibleCounters} from '../../src/core/layout/visible-counters.js';
import {areaColor, hueColors, nameColors} from '../shared/colors.js';
import {fittedText} from '../shared/label.js';
import type {Theme} from '../shared/theme.js';
import {answerScale, type TimelineState} from './timeline-state.js';

const counterPaddingPx = 3;
const counterHue = 200;
/** Half the width of a marker. */
export const markerPx = 4;

/**
 * Returns the height of a counter's value between the bottom (0) and the top (1) of its row; a constant counter fills
 * half.
 */
export function counterLevel(value: number, low: number, high: number): number {
  const from = Math.min(0, low);
  const to = Math.max(0, high);
  return to > from ? Math.min(1, Math.max(0, (value - from) / (to - from))) : 0.5;
}

/** Draws counters as stepped areas: each sample's value until the next, with the extremes of a pixel in it. */
export function drawCounters(
  context: CanvasRenderingContext2D,
  state: TimelineState,
  rows: readonly TimelineRow[],
  plotPx: number,
  theme: Theme,
): void {
  if (!state.answer) return;
  const {counters} = state.answer;
  for (const row of rows) {
    if (row.kind !== 'counter') continue;
    const first = counters.counter.indexOf(row.counter.counter);
    if (first < 0) continue;
    drawCounter(context, state, row, counters, first, plotPx, theme);
  }
}

function drawCounter(
  context: CanvasRenderingContext2D,
  state: TimelineState,
  row: CounterRow,
  counters: VisibleCounters,
  first: number,
  plotPx: number,
  theme: Theme,
): void {
  const {counter, atPx, high, last, length} = counters;
  const {scale, shiftPx} = answerScale(state, plotPx);
  const heightPx = row.heightPx - 2 * counterPaddingPx;
  const bottom = row.topPx + row.heightPx - counterPaddingPx;
  const fill = theme.isHighContrast ? hueColors(counterHue, 0, theme).fill : areaColor(counterHue);
  const levelPx = (value: number) => counterLevel(value, row.counter.low, row.counter.high) * heightPx;
  for (let i = first; i < length && counter[i] === counter[first]; i++) {
    const left = Math.max(0, atPx[i] * scale + shiftPx);
    const isLast = i + 1 >= length || counter[i + 1] !== counter[first];
    const right = isLast ? plotPx : Math.min(plotPx, atPx[i + 1] * scale + shiftPx);
    if (right <= 0 || left >= plotPx) continue;
    const px = Math.max(levelPx(last[i]), 1);
    context.fillStyle = fill;
    context.fillRect(state.gutterPx + left, bottom - px, Math.max(1, right - left), px);
    // A peak within the pixel must not disappear.
    const peakPx = levelPx(high[i]);
    if (peakPx > px) context.fillRect(state.gutterPx + left, bottom - peakPx, 1, peakPx);
    if (theme.isHighContrast) {
      context.fillStyle = theme.border;
      context.fillRect(state.gutterPx + left, bottom - px, Math.max(1, right - left), 1);
      if (peakPx > px) context.fillRect(state.gutterPx + left, bottom - peakPx, 1, 1);
    }
  }
  drawHighest(context, state.gutterPx + 4, row, plotPx - 8, theme);
}

/** Writes a counter's highest value on a ground of its own, since the area may reach up to it. */
function drawHighest(
  context: CanvasRenderingContext2D,
  leftPx: number,
  {counter, topPx}: CounterRow,
  widthPx: number,
  theme: Theme,
): void {
  const text = fittedText(context, formatCounterValue(counter.high, counter.unit), widthPx);
  if (text === '') return;
  context.fillStyle = theme.background;
  context.fillRect(leftPx - 2, topPx + 2, context.measureText(text).width + 4, 14);
  context.fillStyle = theme.muted;
  context.fillText(text, leftPx, topPx + counterPaddingPx + 6);
}

/** Draws instants as diamonds; several that share a pixel as a wider one. */
export function drawInstants(
  context: CanvasRenderingContext2D,
  state: TimelineState,
  rows: readonly TimelineRow[],
  plotPx: number,
  theme: Theme,
): void {
  if (!state.answer) return;
  const {markers, names} = state.answer.instants;
  const hovered = state.hovered?.kind === 'instant' ? state.hovered.row : -1;
  const {scale, shiftPx} = answerScale(state, plotPx);
  const rowOfTrack = instantRows(rows);
  const isOutside = (x: number) => x < -markerPx || x > plotPx + markerPx;
  const selected = markers.instant.findIndex(
    (instant, i) => instant === state.selectedInstant && markers.count[i] === 1,
  );
  for (let i = 0; i < markers.length; i++) {
    const row = rowOfTrack.get(markers.track[i]);
    const x = markers.atPx[i] * scale + shiftPx;
    if (!row || isOutside(x)) continue;
    const fill =
      i === selected || i === hovered ? theme.selection : nameColors(names[markers.name[i]] ?? '', theme).fill;
    drawDiamond(
      context,
      state.gutterPx + x,
      row.topPx + row.heightPx / 2,
      i === selected ? markerPx + 2 : markerPx,
      fill,
      theme,
    );
  }
}

function instantRows(rows: readonly TimelineRow[]): Map<number, InstantsRow> {
  const found = new Map<number, InstantsRow>();
  for (const row of rows) if (row.kind === 'instants') found.set(row.track.track, row);
  return found;
}

function drawDiamond(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radiusPx: number,
  fill: string,
  theme: Theme,
): void {
  context.fillStyle = fill;
  context.beginPath();
  context.moveTo(x, y - radiusPx);
  context.lineTo(x + radiusPx, y);
  context.lineTo(x, y + radiusPx);
  context.lineTo(x - radiusPx, y);
  context.closePath();
  context.fill();
  if (!theme.isHighContrast) return;
  context.strokeStyle = theme.foreground;
  context.lineWidth = 1;
  context.stroke();
}
