import {formatDuration} from '../../src/core/format/duration.js';
import type {HeadlineFigure, PartRow} from '../../src/core/summary/summary-text.js';
import type {StepColumn} from '../../src/core/summary/step-columns.js';
import type {TimePart} from '../../src/core/summary/time-parts.js';
import type {Theme} from '../shared/theme.js';
import {partColors} from '../shared/part-colors.js';
import {t} from '../shared/translate.js';

/** The contents of a picture of the summary. */
export interface SummaryPicture {
  readonly name: string;
  readonly facts: string;
  readonly headline: readonly HeadlineFigure[];
  /** The subject of the bar. */
  readonly title: string;
  readonly rows: readonly PartRow[];
  /** The parts of each column, in the columns' order. */
  readonly parts: readonly TimePart[];
  readonly columns: readonly StepColumn[];
}

export const summaryWidthPx = 900;
const marginPx = 24;
const innerPx = summaryWidthPx - 2 * marginPx;
const [barTopPx, barPx, rowPx, chartPx] = [196, 30, 22, 150];

/** Returns the height of the picture in CSS px. */
export function summaryHeightPx({rows, columns}: SummaryPicture): number {
  return barTopPx + barPx + 16 + rows.length * rowPx + (columns.length > 1 ? chartPx + 40 : 0) + marginPx;
}

/** Draws the summary as one picture: its figures, the bar with its numbers, and the steps. */
export function drawSummary(context: CanvasRenderingContext2D, picture: SummaryPicture, theme: Theme): void {
  const {name, facts, headline, title, rows, columns} = picture;
  const text = (what: string, xPx: number, yPx: number, font: string, color = theme.foreground, mostPx = innerPx) => {
    context.font = `${font} ${theme.font}`;
    context.fillStyle = color;
    context.fillText(what, xPx, yPx, mostPx);
  };
  context.textBaseline = 'top';
  context.fillStyle = theme.background;
  context.fillRect(0, 0, summaryWidthPx, summaryHeightPx(picture));
  text(name, marginPx, 20, 'bold 16px');
  text(facts, marginPx, 44, '13px', theme.muted);
  const figurePx = innerPx / Math.max(1, headline.length);
  headline.forEach(({figure, label, detail}, at) => {
    const xPx = marginPx + at * figurePx;
    text(figure, xPx, 76, '28px', theme.foreground, figurePx - 12);
    text(label, xPx, 112, 'bold 13px', theme.foreground, figurePx - 12);
    text(detail, xPx, 132, '12px', theme.muted, figurePx - 12);
  });
  text(title, marginPx, barTopPx - 24, 'bold 14px');
  drawBar(context, rows, theme);
  rows.forEach(({part, title: partTitle, time, share}, at) => {
    const yPx = barTopPx + barPx + 16 + at * rowPx;
    paint(context, part, theme, marginPx, yPx, 12, 12);
    text(partTitle, marginPx + 20, yPx, '13px');
    text(time, marginPx + 300, yPx, '13px');
    text(share, marginPx + 400, yPx, '13px');
  });
  if (columns.length < 2) return;
  const topPx = barTopPx + barPx + 16 + rows.length * rowPx + 8;
  text(t('Step by step'), marginPx, topPx, 'bold 14px');
  drawColumns(context, picture, theme, topPx + 24);
  const longest = t('up to {0}', formatDuration(columns.reduce((most, {lengthNs}) => Math.max(most, lengthNs), 0)));
  text(longest, marginPx + 110, topPx + 1, '12px', theme.muted);
}

function drawBar(context: CanvasRenderingContext2D, rows: readonly PartRow[], theme: Theme): void {
  const wholeNs = rows.reduce((sum, {ns}) => sum + ns, 0);
  let xPx = marginPx;
  for (const {part, ns} of rows) {
    const widthPx = wholeNs > 0 ? (ns / wholeNs) * innerPx : 0;
    paint(context, part, theme, xPx, barTopPx, widthPx, barPx);
    xPx += widthPx;
  }
}

function drawColumns(
  context: CanvasRenderingContext2D,
  {columns, parts}: SummaryPicture,
  theme: Theme,
  topPx: number,
): void {
  const mostNs = columns.reduce((most, {lengthNs}) => Math.max(most, lengthNs), 1);
  const slotPx = innerPx / columns.length;
  columns.forEach(({ns}, at) => {
    let yPx = topPx + chartPx;
    ns.forEach((partNs, place) => {
      const heightPx = (partNs / mostNs) * chartPx;
      yPx -= heightPx;
      paint(context, parts[place], theme, marginPx + at * slotPx, yPx, slotPx * 0.85, heightPx);
    });
  });
}

function paint(
  context: CanvasRenderingContext2D,
  part: TimePart,
  theme: Theme,
  xPx: number,
  yPx: number,
  widthPx: number,
  heightPx: number,
): void {
  context.fillStyle = partColors(part, theme).fill;
  context.fillRect(xPx, yPx, widthPx, heightPx);
  if (!theme.isHighContrast) return;
  context.strokeStyle = theme.foreground;
  context.strokeRect(xPx, yPx, widthPx, heightPx);
}

/** Returns the picture as a PNG, at the resolution of the screen. @throws Error if the page has no canvas */
export async function summaryPng(picture: SummaryPicture, theme: Theme, ratio: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(summaryWidthPx * ratio);
  canvas.height = Math.round(summaryHeightPx(picture) * ratio);
  const context = canvas.getContext('2d', {alpha: false});
  if (!context) throw new Error('This editor has no canvas.');
  context.scale(ratio, ratio);
  drawSummary(context, picture, theme);
  const blob = await new Promise<Blob | null>(resolve => {
    canvas.toBlob(resolve, 'image/png');
  });
  if (!blob) throw new Error('The picture could not be made.');
  return blob;
}
