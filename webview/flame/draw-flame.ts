import type {FlameBlock} from '../../src/core/layout/flame-layout.js';
import {flameKinds, type FlameGraph} from '../../src/core/queries/flame.js';
import {kindColors, nameColors, neutralColors, type MarkColors} from '../shared/colors.js';
import {drawLabel} from '../shared/label.js';
import type {Theme} from '../shared/theme.js';

export const rowHeightPx = 20;
const paddingPx = 4;
/** Thinner blocks are not drawn: they would be one grey smear. */
const leastPx = 0.5;

/** What is marked in the picture, by node. */
export interface FlameMarks {
  readonly hovered: number;
  readonly focused: number;
}

/** Paints the blocks of a flame graph, the root on top. */
export function drawFlame(
  context: CanvasRenderingContext2D,
  graph: FlameGraph,
  blocks: readonly FlameBlock[],
  marks: FlameMarks,
  size: {widthPx: number; heightPx: number; scrollPx: number},
  theme: Theme,
): void {
  const {widthPx, heightPx, scrollPx} = size;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, widthPx, heightPx);
  context.textBaseline = 'middle';
  context.font = `12px ${theme.font}`;
  for (const block of blocks) {
    const rect = {
      left: block.x0 * widthPx,
      top: block.depth * rowHeightPx - scrollPx,
      width: (block.x1 - block.x0) * widthPx,
    };
    if (rect.width < leastPx || rect.top + rowHeightPx < 0 || rect.top > heightPx) continue;
    drawBlock(context, graph, block.node, rect, marks, theme);
  }
}

function drawBlock(
  context: CanvasRenderingContext2D,
  graph: FlameGraph,
  node: number,
  {left, top, width}: {left: number; top: number; width: number},
  {focused, hovered}: FlameMarks,
  theme: Theme,
): void {
  const name = graph.names[graph.nodes.name[node]];
  const colors = colorsOf(graph, node, name, theme);
  const drawnPx = Math.max(leastPx, width - (width > 3 ? 1 : 0));
  context.fillStyle = colors.fill;
  context.fillRect(left, top, drawnPx, rowHeightPx - 1);
  if (drawnPx > 3 && (node === focused || node === hovered || theme.isHighContrast)) {
    context.strokeStyle = node === focused ? theme.selection : node === hovered ? theme.focus : theme.border;
    context.lineWidth = node === focused ? 2 : 1;
    context.strokeRect(left + 0.5, top + 0.5, drawnPx - 1, rowHeightPx - 2);
  }
  context.fillStyle = colors.text;
  drawLabel(context, name, left + paddingPx, top + (rowHeightPx - 1) / 2, width - 2 * paddingPx);
}

function colorsOf({nodes}: FlameGraph, node: number, name: string, theme: Theme): MarkColors {
  switch (flameKinds[nodes.kind[node]]) {
    case 'root':
    case 'bucket':
      return neutralColors(theme);
    case 'backward':
      return kindColors('osrt', name, theme);
    default:
      return nameColors(name, theme);
  }
}
