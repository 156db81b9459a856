import {axisBottom, axisLeft} from 'd3';
import {formatQuantity} from '../../src/core/format/quantity.js';
import type {ChartBox, ChartScales, NamedRoof} from './chart-scales.js';
import type {Theme} from '../shared/theme.js';
import {chartColors, type Svg} from './chart-svg.js';
import {t} from '../shared/translate.js';
import {logTicks} from './log-ticks.js';

/** The room of a label along its axis, in px. */
const labelSpacePx = {x: 60, y: 30};
/** The least distance of two roofs' names, in px. */
const roofNamePx = 13;

/** Draws both axes, with labels at round values that keep clear of each other. */
export function drawAxes(svg: Svg, {x, y}: ChartScales, box: ChartBox): void {
  const [leastX = 1, mostX = 1] = x.domain();
  const [leastY = 1, mostY = 1] = y.domain();
  svg
    .append('g')
    .attr('transform', `translate(0,${String(box.bottom)})`)
    .call(
      axisBottom(x)
        .tickValues(logTicks([leastX, mostX], (box.right - box.left) / labelSpacePx.x))
        .tickFormat(value => formatQuantity(Number(value), '')),
    );
  svg
    .append('g')
    .attr('transform', `translate(${String(box.left)},0)`)
    .call(
      axisLeft(y)
        .tickValues(logTicks([leastY, mostY], (box.bottom - box.top) / labelSpacePx.y))
        .tickFormat(value => formatQuantity(Number(value), 'FLOP/s')),
    );
  // d3 sets another font than that of the other texts.
  svg.selectAll('g').attr('font-family', null).attr('font-size', null);
  svg
    .append('text')
    .attr('x', (box.left + box.right) / 2)
    .attr('y', box.bottom + 34)
    .attr('text-anchor', 'middle')
    .attr('fill', 'currentColor')
    .text(t('Arithmetic intensity (FLOP/byte)'));
}

/** Draws the slope of the memory up to the highest roof, then each roof from its ridge on. */
export function drawRoofs(svg: Svg, roofs: readonly NamedRoof[], {x, y}: ChartScales, theme: Theme): void {
  if (roofs.length === 0) return;
  const [highest] = roofs;
  const [, toX = 1] = x.domain();
  const slopeFrom = slopeBegin(highest, {x, y});
  const lines = [
    {fromX: slopeFrom, fromY: slopeFrom * highest.bytesPerSecond, toX: highest.ridge, toY: highest.flopsPerSecond},
    ...roofs.map(({ridge, flopsPerSecond}) => ({fromX: ridge, fromY: flopsPerSecond, toX, toY: flopsPerSecond})),
  ];
  svg
    .append('g')
    .attr('stroke', chartColors(theme).roof)
    .attr('stroke-width', 1.5)
    .selectAll('line')
    .data(lines)
    .join('line')
    .attr('x1', line => x(line.fromX))
    .attr('y1', line => y(line.fromY))
    .attr('x2', line => x(line.toX))
    .attr('y2', line => y(line.toY));
}

/** Labels the roofs. Drawn last, with an outline in the background colour, so that the text is readable on anything. */
export function labelRoofs(
  svg: Svg,
  roofs: readonly NamedRoof[],
  {x, y}: ChartScales,
  box: ChartBox,
  theme: Theme,
): void {
  if (roofs.length === 0) return;
  const group = svg
    .append('g')
    .attr('fill', chartColors(theme).roof)
    .attr('stroke', theme.background)
    .attr('stroke-width', 3)
    .attr('stroke-linejoin', 'round')
    .attr('paint-order', 'stroke')
    .attr('pointer-events', 'none');
  const [highest] = roofs;
  const from = slopeBegin(highest, {x, y});
  const middle = Math.sqrt(from * highest.ridge);
  const risePx = y(highest.flopsPerSecond) - y(from * highest.bytesPerSecond);
  const angle = (Math.atan2(risePx, x(highest.ridge) - x(from)) * 180) / Math.PI;
  group
    .append('text')
    .text(`HBM ${formatQuantity(highest.bytesPerSecond, 'B/s')}`)
    .attr('text-anchor', 'middle')
    .attr(
      'transform',
      `translate(${String(x(middle))},${String(y(middle * highest.bytesPerSecond) - 6)}) rotate(${String(angle)})`,
    );
  const baselinesPx = roofBaselines(roofs.map(({flopsPerSecond}) => y(flopsPerSecond)));
  for (const [at, {name, flopsPerSecond}] of roofs.entries()) {
    group
      .append('text')
      .text(`${name} ${formatQuantity(flopsPerSecond, 'FLOP/s')}`)
      .attr('x', box.right)
      .attr('y', baselinesPx[at])
      .attr('text-anchor', 'end');
  }
}

/**
 * Returns the baselines of the roofs' names in px: above each line, or below it where the name before would be in the
 * way.
 *
 * @param linesPx the lines from top to bottom
 */
export function roofBaselines(linesPx: readonly number[]): number[] {
  let last = -Infinity;
  return linesPx.map(line => {
    const isFree = line - 5 - last >= roofNamePx;
    return (last = isFree ? line - 5 : Math.max(line, last) + roofNamePx);
  });
}

/** Returns where the memory's slope enters the chart, in operations per byte. */
function slopeBegin({bytesPerSecond}: NamedRoof, {x, y}: Pick<ChartScales, 'x' | 'y'>): number {
  const [fromX = 1] = x.domain();
  const [leastY = 1] = y.domain();
  return Math.max(fromX, leastY / bytesPerSecond);
}
