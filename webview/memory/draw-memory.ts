import {byteTicks} from '../../src/core/memory-snapshot/byte-ticks.js';
import {formatBytes} from '../../src/core/memory-snapshot/format-bytes.js';
import type {MemoryCurve} from '../../src/core/memory-snapshot/memory-curve.js';
import {neutralColors, placeColors, type MarkColors} from '../shared/colors.js';
import type {Theme} from '../shared/theme.js';
import {t} from '../shared/translate.js';

/** The drawn state of a device's memory over time. */
export interface MemoryPicture {
  readonly curve: MemoryCurve;
  readonly widthPx: number;
  readonly heightPx: number;
  /** The moment shown below, the moment it is compared with, and the device's peak. */
  readonly moment: number;
  readonly base: number | null;
  readonly peakMoment: number;
  readonly outOfMemoryMoments: readonly number[];
  /** The part covered by a drag, as moments. */
  readonly dragged: readonly [from: number, to: number] | null;
}

export const marginPx = {left: 72, right: 8, top: 18, bottom: 6} as const;

/** Returns the colour of a band: the largest groups have distinct colours, the rest, without a place, is grey. */
export function bandColors(place: number | null, theme: Theme): MarkColors {
  return place === null ? neutralColors(theme) : placeColors(place, theme);
}

/** Returns the name of a band in the editor's language. */
export function bandName({name, isOthers}: MemoryCurve['bands'][number]): string {
  return isOthers ? t('all others') : name;
}

/** Returns the x of a moment; the inverse of `momentAt`. */
export function xOfMoment({curve, widthPx}: Pick<MemoryPicture, 'curve' | 'widthPx'>, moment: number): number {
  const {fromMoment, toMoment} = curve;
  const width = widthPx - marginPx.left - marginPx.right;
  return marginPx.left + ((moment - fromMoment + 0.5) / (toMoment - fromMoment + 1)) * width;
}

/** Returns the moment at an x, limited to the window. */
export function momentAt({curve, widthPx}: Pick<MemoryPicture, 'curve' | 'widthPx'>, xPx: number): number {
  const {fromMoment, toMoment} = curve;
  const width = widthPx - marginPx.left - marginPx.right;
  const at = fromMoment + Math.floor(((xPx - marginPx.left) / width) * (toMoment - fromMoment + 1));
  return Math.min(toMoment, Math.max(fromMoment, at));
}

/** Draws allocated bytes as stacked bands, reserved bytes as a line, and the marked moments. */
export function drawMemory(pen: CanvasRenderingContext2D, picture: MemoryPicture, theme: Theme): void {
  const {curve, widthPx, heightPx} = picture;
  pen.fillStyle = theme.background;
  pen.fillRect(0, 0, widthPx, heightPx);
  const most = [...curve.reservedBytes, ...curve.allocatedBytes].reduce((max, value) => (value > max ? value : max), 1);
  const height = heightPx - marginPx.top - marginPx.bottom;
  const yOf = (bytes: number) => marginPx.top + height * (1 - bytes / most);
  drawTicks(pen, picture, theme, most, yOf);
  drawBands(pen, picture, theme, yOf);
  drawReserved(pen, picture, theme, yOf);
  drawMarks(pen, picture, theme);
}

function drawTicks(
  pen: CanvasRenderingContext2D,
  {widthPx}: MemoryPicture,
  theme: Theme,
  most: number,
  yOf: (bytes: number) => number,
): void {
  pen.font = `11px ${theme.font}`;
  pen.textBaseline = 'middle';
  pen.textAlign = 'right';
  for (const bytes of byteTicks(most)) {
    const y = Math.round(yOf(bytes)) + 0.5;
    pen.strokeStyle = theme.border;
    pen.lineWidth = 1;
    line(pen, marginPx.left, y, widthPx - marginPx.right, y);
    pen.fillStyle = theme.muted;
    pen.fillText(formatBytes(bytes), marginPx.left - 6, y);
  }
}

/** Returns the left and right edge of a column in whole pixels, since half pixels would leave visible gaps. */
function columnEdges({curve, widthPx}: MemoryPicture, column: number): [left: number, right: number] {
  const width = (widthPx - marginPx.left - marginPx.right) / curve.columns;
  return [Math.round(marginPx.left + column * width), Math.round(marginPx.left + (column + 1) * width)];
}

function drawBands(
  pen: CanvasRenderingContext2D,
  picture: MemoryPicture,
  theme: Theme,
  yOf: (bytes: number) => number,
): void {
  const {curve} = picture;
  const below = new Float64Array(curve.columns);
  curve.bands.forEach(({bytes, isOthers}, place) => {
    pen.fillStyle = bandColors(isOthers ? null : place, theme).fill;
    pen.strokeStyle = theme.isHighContrast ? theme.foreground : theme.background;
    pen.lineWidth = theme.isHighContrast ? 1 : 0.75;
    const edge = new Path2D();
    for (let column = 0; column < curve.columns; column++) {
      const [left, right] = columnEdges(picture, column);
      const bottom = yOf(below[column]);
      below[column] += bytes[column];
      const top = yOf(below[column]);
      if (bottom > top) pen.fillRect(left, top, right - left, bottom - top);
      if (column === 0) edge.moveTo(left, top);
      else edge.lineTo(left, top);
      edge.lineTo(right, top);
    }
    pen.stroke(edge);
  });
}

function drawReserved(
  pen: CanvasRenderingContext2D,
  picture: MemoryPicture,
  theme: Theme,
  yOf: (bytes: number) => number,
): void {
  const path = new Path2D();
  let isBegun = false;
  picture.curve.reservedBytes.forEach((bytes, column) => {
    // A recording may lack it.
    if (Number.isNaN(bytes)) return;
    const [left, right] = columnEdges(picture, column);
    const y = yOf(bytes);
    if (isBegun) path.lineTo(left, y);
    else path.moveTo(left, y);
    path.lineTo(right, y);
    isBegun = true;
  });
  pen.strokeStyle = theme.foreground;
  pen.lineWidth = 1.5;
  pen.setLineDash([5, 3]);
  pen.stroke(path);
  pen.setLineDash([]);
  labelReserved(pen, picture, theme, yOf);
}

/** Names the line at its end, on a ground of its own below it: above it are the names of marks. */
function labelReserved(
  pen: CanvasRenderingContext2D,
  {curve, widthPx}: MemoryPicture,
  theme: Theme,
  yOf: (bytes: number) => number,
): void {
  const bytes = curve.reservedBytes.at(-1) ?? NaN;
  if (Number.isNaN(bytes)) return;
  const text = t('{0} reserved', formatBytes(bytes));
  pen.font = `11px ${theme.font}`;
  pen.textBaseline = 'middle';
  pen.textAlign = 'right';
  const width = pen.measureText(text).width;
  const [right, middle] = [widthPx - marginPx.right - 4, yOf(bytes) + 11];
  pen.fillStyle = theme.background;
  pen.fillRect(right - width - 3, middle - 8, width + 6, 16);
  pen.fillStyle = theme.foreground;
  pen.fillText(text, right, middle);
}

function drawMarks(pen: CanvasRenderingContext2D, picture: MemoryPicture, theme: Theme): void {
  const {moment, base, peakMoment, outOfMemoryMoments, dragged, heightPx} = picture;
  if (dragged) {
    const [from, to] = dragged.map(at => xOfMoment(picture, at)).sort((a, b) => a - b);
    pen.globalAlpha = 0.2;
    pen.fillStyle = theme.focus;
    pen.fillRect(from, marginPx.top, to - from, heightPx - marginPx.top - marginPx.bottom);
    pen.globalAlpha = 1;
  }
  const marks: Mark[] = [
    ...outOfMemoryMoments.map(at => ({moment: at, text: t('out of memory'), color: theme.foreground, widthPx: 1})),
    {moment: peakMoment, text: t('peak'), color: theme.muted, widthPx: 1},
    ...(base === null ? [] : [{moment: base, text: t('base'), color: theme.foreground, widthPx: 1}]),
    {moment, text: t('shown'), color: theme.focus, widthPx: 2},
  ];
  const {fromMoment, toMoment} = picture.curve;
  const labelled: Label[] = [];
  for (const mark of marks) {
    if (mark.moment < fromMoment || mark.moment > toMoment) continue;
    const x = Math.round(xOfMoment(picture, mark.moment)) + 0.5;
    pen.strokeStyle = mark.color;
    pen.lineWidth = mark.widthPx;
    line(pen, x, marginPx.top - 2, x, heightPx - marginPx.bottom);
    drawLabel(pen, picture, {x, text: mark.text}, theme, labelled);
  }
}

interface Mark {
  readonly moment: number;
  readonly text: string;
  readonly color: string;
  readonly widthPx: number;
}

/** Where there already is a text. */
interface Label {
  readonly from: number;
  readonly to: number;
}

/** Labels a mark; a label that would overlap another is left out. */
function drawLabel(
  pen: CanvasRenderingContext2D,
  {widthPx}: MemoryPicture,
  {x, text}: {readonly x: number; readonly text: string},
  theme: Theme,
  labelled: Label[],
): void {
  pen.font = `11px ${theme.font}`;
  pen.textBaseline = 'middle';
  pen.textAlign = 'left';
  const width = pen.measureText(text).width;
  const from = Math.min(widthPx - marginPx.right - width, Math.max(marginPx.left, x - width / 2));
  const to = from + width;
  if (labelled.some(other => from < other.to + 4 && to > other.from - 4)) return;
  labelled.push({from, to});
  pen.fillStyle = theme.foreground;
  pen.fillText(text, from, marginPx.top / 2);
}

function line(pen: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}
