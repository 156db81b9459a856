import {flameLayout, type FlameLayout} from './flame-layout.js';
import {counted, formatCount} from '../format/count.js';
import {drawFlame, flameHeightPx, rowHeightPx, type FlameTheme, type FlameView} from './draw-flame.js';
import {flameName, type FlameGraph} from './flame-graph.js';
import {SvgPen, svgFont} from './svg-pen.js';

/** The colours of the picture outside an editor. */
export const paperTheme: FlameTheme = {
  isDark: false,
  isHighContrast: false,
  background: '#ffffff',
  border: '#767676',
  focus: '#005fb8',
  selection: '#000000',
  font: svgFont,
};

/** Returns all rows of the picture as SVG. @param view the visible part; the whole if absent */
export function flameSvg(graph: FlameGraph, theme: FlameTheme = paperTheme, view: Partial<FlameView> = {}): string {
  const layout = view.layout ?? flameLayout(graph);
  return paint(new SvgPen(), graph, theme, {...view, layout, heightPx: Math.max(1, flameHeightPx(layout))});
}

/** The greatest height of a bitmap: browsers limit canvases to it. */
export const highestPicturePx = 16_384;

/** Returns a note for a bitmap that lacks rows; "" for a complete one. @param ratio pixels per px */
export function cutPictureNote(layout: FlameLayout, ratio: number): string {
  if (flameHeightPx(layout) * ratio <= highestPicturePx) return '';
  const rows = Math.floor(highestPicturePx / ratio / rowHeightPx);
  return counted(
    layout.rows.length,
    'It has the first {1} of {0} row: SVG has all.',
    'It has the first {1} of {0} rows: SVG has all.',
    formatCount(rows),
  );
}

/** Returns an SVG to be painted as a bitmap, one pixel per px: without tooltips, and cut if it would be too high. */
export function svgForPixels(graph: FlameGraph): {readonly svg: string; readonly notes: readonly string[]} {
  const layout = flameLayout(graph);
  const heightPx = Math.min(highestPicturePx, Math.max(1, flameHeightPx(layout)));
  const note = cutPictureNote(layout, 1);
  const pen = new SvgPen({hasTooltips: false});
  return {svg: paint(pen, graph, paperTheme, {layout, heightPx}), notes: note === '' ? [] : [note]};
}

function paint(
  pen: SvgPen,
  graph: FlameGraph,
  theme: FlameTheme,
  view: Partial<FlameView> & Pick<FlameView, 'layout' | 'heightPx'>,
): string {
  const {widthPx = 1200, heightPx} = view;
  const whole = {window: {x0: 0, x1: 1}, hovered: -1, focused: -1, isMatch: null, ...view};
  drawFlame(pen, {...whole, graph, widthPx, scrollPx: 0}, {...theme, font: svgFont});
  return pen.finish(widthPx, heightPx, flameName(graph, 0));
}
