import {symbol, symbolCircle, symbolDiamond} from 'd3';
import type {RooflineMark} from '../../src/core/questions/roofline-marks.js';
import type {Theme} from '../shared/theme.js';
import type {ChartScales, PlacedMark} from './chart-scales.js';
import {chartColors, type Svg} from './chart-svg.js';

type Source = RooflineMark['source'];

/** Marks from recorded shapes are filled, marks from a model are hollow. */
export const markOpacity: Readonly<Record<Source, number>> = {shapes: 0.55, model: 0};

/** Returns a circle, or a diamond of the same area for marks from a model. */
export function markPath(source: Source, radiusPx: number): string | null {
  return symbol(source === 'model' ? symbolDiamond : symbolCircle, Math.PI * radiusPx ** 2)();
}

/** The model's symbol in the legend. */
export const modelKeyPath = markPath('model', 6);

export function markColor(mark: RooflineMark, theme: Theme): string {
  return chartColors(theme)[mark.matrixFlops === 0 ? 'vector' : 'matrix'];
}

const endPx = 4;

/** Draws a line from each layer of the model up to the speed that the model predicts: how much faster it could be. */
export function drawPredictions(svg: Svg, placed: readonly PlacedMark[], {x, y}: ChartScales, theme: Theme): void {
  const lines = placed.flatMap(({mark, intensity, flopsPerSecond}) =>
    mark.source === 'model' && mark.predictedNs !== null && mark.predictedNs > 0
      ? [
          {
            mark,
            at: x(intensity),
            fromPx: y(flopsPerSecond),
            toPx: y((flopsPerSecond * mark.gpuWorkNs) / mark.predictedNs),
          },
        ]
      : [],
  );
  svg
    .append('g')
    .attr('fill', 'none')
    .selectAll('path')
    .data(lines)
    .join('path')
    .attr('class', 'prediction')
    .attr('stroke', ({mark}) => markColor(mark, theme))
    .attr('stroke-dasharray', '3 3')
    .attr('d', ({at, fromPx, toPx}) => {
      const [x0, x1, y0, y1] = [at - endPx, at + endPx, fromPx, toPx].map(String);
      return `M${String(at)},${y0}V${y1}M${x0},${y1}H${x1}`;
    });
}
