import {create, type Selection} from 'd3';
import type {Theme} from '../shared/theme.js';

/** A picture under construction. */
export type Svg = Selection<SVGSVGElement, undefined, null, undefined>;

/** An empty picture. Colours are attributes, so that a saved picture looks like the one in the view. */
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

/** The picture as a file. */
export function svgText(svg: SVGSVGElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(svg)}\n`;
}

/** Colours that are told apart on dark and light, and by people who see few: those of Okabe and Ito. */
export const palette = {
  matrix: '#0072b2',
  matrixOnDark: '#56b4e9',
  vector: '#e69f00',
  communication: '#cc79a7',
  roof: '#d55e00',
} as const;

/** What colours mean, in a row from `left` on. */
export function drawLegend(
  svg: Svg,
  {left, top}: {readonly left: number; readonly top: number},
  entries: readonly (readonly [text: string, color: string, opacity: number])[],
): void {
  entries.forEach(([text, color, opacity], at) => {
    const x = left + 12 + at * 130;
    svg
      .append('rect')
      .attr('x', x)
      .attr('y', top - 8)
      .attr('width', 10)
      .attr('height', 10)
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
