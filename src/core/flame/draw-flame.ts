import {drawLabel, type TextPen} from '../layout/label.js';
import {visitRow, type FlameLayout, type FlameWindow} from './flame-layout.js';
import {kindColors, nameColors, neutralColors, type MarkColors, type ThemeKind} from '../layout/mark-colors.js';
import {sliceColors} from '../layout/slice-colors.js';
import {flameKinds, flameName, type FlameGraph} from './flame-graph.js';
import {changeColors, changeMark} from './difference-text.js';
import {flameLines} from './flame-text.js';

export const rowHeightPx = 20;
const paddingPx = 4;
/** Opacity of blocks that a search has not found. */
const dimmedAlpha = 0.3;

/** The colours of a picture. */
export interface FlameTheme extends ThemeKind {
  readonly background: string;
  readonly border: string;
  readonly focus: string;
  readonly selection: string;
  readonly font: string;
}

/** Something to paint on: a canvas context, or a writer of the same as SVG. */
export interface FlamePen extends TextPen {
  fillStyle: unknown;
  strokeStyle: unknown;
  lineWidth: number;
  globalAlpha: number;
  textBaseline: unknown;
  font: string;
  fillRect(leftPx: number, topPx: number, widthPx: number, heightPx: number): void;
  strokeRect(leftPx: number, topPx: number, widthPx: number, heightPx: number): void;
  /** If present, called with each block's text before the block is painted. */
  describe?(text: string): void;
}

/** The visible part of a flame graph. */
export interface FlameView {
  readonly graph: FlameGraph;
  readonly layout: FlameLayout;
  readonly window: FlameWindow;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly scrollPx: number;
  /** Nodes under the mouse and with keyboard focus, -1 for none. */
  readonly hovered: number;
  readonly focused: number;
  /** Name → 1 if a search has found it; null without a search. */
  readonly isMatch: Uint8Array | null;
}

/** Paints the blocks of a flame graph, with the root on top, or below its callers. */
export function drawFlame(pen: FlamePen, view: FlameView, theme: FlameTheme): void {
  const {layout, window, widthPx, heightPx, scrollPx} = view;
  pen.globalAlpha = 1;
  pen.fillStyle = theme.background;
  pen.fillRect(0, 0, widthPx, heightPx);
  pen.textBaseline = 'middle';
  pen.font = `12px ${theme.font}`;
  const first = Math.max(0, Math.floor(scrollPx / rowHeightPx));
  const end = Math.min(layout.rows.length, Math.ceil((scrollPx + heightPx) / rowHeightPx));
  for (let index = first; index < end; index++) {
    const topPx = index * rowHeightPx - scrollPx;
    visitRow(layout, index, window, widthPx, (node, leftPx, blockPx) => {
      if (node < 0) drawDash(pen, leftPx, topPx, blockPx, theme);
      else drawBlock(pen, view, node, {leftPx, topPx, widthPx: blockPx}, theme);
    });
  }
  pen.globalAlpha = 1;
}

/** Returns the height of all rows of a picture. */
export function flameHeightPx({rows}: FlameLayout): number {
  return rows.length * rowHeightPx;
}

/** Draws a dash for several blocks that are narrower than a pixel. */
function drawDash(pen: FlamePen, leftPx: number, topPx: number, widthPx: number, theme: FlameTheme): void {
  pen.globalAlpha = theme.isHighContrast ? 1 : dimmedAlpha;
  pen.fillStyle = theme.isHighContrast ? theme.border : neutralColors(theme).text;
  pen.fillRect(leftPx, topPx, Math.max(0.5, widthPx), rowHeightPx - 1);
}

interface BlockPlace {
  readonly leftPx: number;
  readonly topPx: number;
  readonly widthPx: number;
}

function drawBlock(
  pen: FlamePen,
  {graph, hovered, focused, isMatch}: FlameView,
  node: number,
  {leftPx, topPx, widthPx}: BlockPlace,
  theme: FlameTheme,
): void {
  const name = flameName(graph, node);
  const colors = colorsOf(graph, node, name, theme);
  const isFound = isMatch !== null && isMatch[graph.nodes.name[node]] === 1;
  const drawnPx = Math.max(0.5, widthPx - (widthPx > 3 ? 1 : 0));
  pen.describe?.([name, ...flameLines(graph, node)].join('\n'));
  pen.globalAlpha = isMatch === null || isFound ? 1 : dimmedAlpha;
  pen.fillStyle = colors.fill;
  pen.fillRect(leftPx, topPx, drawnPx, rowHeightPx - 1);
  // Dimmed text or edges would be illegible, so blocks that are not found keep them.
  pen.globalAlpha = 1;
  const stroke = strokeOf(node === focused, node === hovered, isFound, theme);
  if (drawnPx > 3 && stroke !== null) {
    pen.strokeStyle = stroke;
    pen.lineWidth = node === focused || isFound ? 2 : 1;
    pen.strokeRect(leftPx + 0.5, topPx + 0.5, drawnPx - 1, rowHeightPx - 2);
  }
  pen.fillStyle = colors.text;
  const mark = graph.difference ? changeMark(graph.difference, node) : '';
  drawLabel(
    pen,
    mark === '' ? name : `${mark} ${name}`,
    leftPx + paddingPx,
    topPx + (rowHeightPx - 1) / 2,
    widthPx - 2 * paddingPx,
  );
}

function strokeOf(isFocused: boolean, isHovered: boolean, isFound: boolean, theme: FlameTheme): string | null {
  if (isFocused || isFound) return theme.selection;
  if (isHovered) return theme.focus;
  return theme.isHighContrast ? theme.border : null;
}

function colorsOf({nodes, difference}: FlameGraph, node: number, name: string, theme: FlameTheme): MarkColors {
  if (difference) return changeColors(difference, node, theme);
  switch (flameKinds[nodes.kind[node]]) {
    case 'root':
    case 'bucket':
    case 'idle':
      return neutralColors(theme);
    case 'backward':
      return kindColors('osrt', name, theme);
    case 'operation':
      return sliceColors('kernel', name, theme);
    default:
      return nameColors(name, theme);
  }
}
