import {create, type Selection} from 'd3';
import type {Theme} from '../shared/theme.js';

/** A picture under construction. */
export type Svg = Selection<SVGSVGElement, undefined, null, undefined>;

/** Returns an empty picture. Colours are attributes, so that a saved picture looks like the one in the view. */
export function createSvg(widthPx: number, heightPx: number, theme: Theme): Svg {
  const svg = create('svg')
    .attr('xmlns', 'http://www.w3.org/2000/svg')
    .attr('width', widthPx)
    .attr('height', heightPx)
    .attr('viewBox', `0 0 ${String(widthPx)} ${String(heightPx)}`)
    .attr('color', theme.foreground)
    .attr('font-family', theme.font)
    .attr('font-size', 11);
  svg.append('rect').attr('width', widthPx).attr('height', heightPx).attr('fill', theme.background);
  return svg;
}

/** Returns the picture as a file. */
export function svgText(svg: SVGSVGElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(svg)}\n`;
}

/** The parts of charts that have colours. */
export type Painted = 'matrix' | 'vector' | 'communication' | 'roof';

const onDark: Readonly<Record<Painted, string>> = {
  matrix: '#56b4e9',
  vector: '#e69f00',
  communication: '#cc79a7',
  roof: '#e8813a',
};
const onLight: Readonly<Record<Painted, string>> = {
  matrix: '#0072b2',
  vector: '#b37700',
  communication: '#b5588b',
  roof: '#a84a00',
};

/**
 * Returns colours that are distinct on this background, and with colour blindness: those of Okabe and Ito, darker on
 * light backgrounds. In high contrast, lines and their texts have the text colour.
 */
export function chartColors({isDark, isHighContrast, foreground}: Theme): Readonly<Record<Painted, string>> {
  const colors = isDark ? onDark : onLight;
  return isHighContrast ? {...colors, roof: foreground} : colors;
}

/** The meaning of a colour or a symbol. */
export interface LegendEntry {
  readonly text: string;
  readonly color: string;
  readonly opacity: number;
  /** The symbol, around its middle; a square if absent. */
  readonly path?: string | null;
}

const square = 'M-5,-5H5V5H-5Z';
const entryWidthPx = 130;

/** Draws the meaning of colours and symbols in a row, from `left` on. */
export function drawLegend(
  svg: Svg,
  {left, top}: {readonly left: number; readonly top: number},
  entries: readonly LegendEntry[],
): void {
  entries.forEach(({text, color, opacity, path}, at) => {
    const x = left + 12 + at * entryWidthPx;
    svg
      .append('path')
      .attr('transform', `translate(${String(x + 5)},${String(top - 3)})`)
      .attr('d', path ?? square)
      .attr('fill', color)
      .attr('fill-opacity', opacity)
      .attr('stroke', color);
    svg
      .append('text')
      .attr('x', x + 15)
      .attr('y', top + 1)
      .attr('fill', 'currentColor')
      .text(text);
  });
}
