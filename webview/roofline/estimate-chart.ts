import {greatest} from '../../src/core/table/extremes.js';
import {axisBottom, axisLeft, scaleBand, scaleLinear} from 'd3';
import type {Estimate} from '../../src/core/estimate/estimate.js';
import type {PassTime} from '../../src/core/estimate/layer-times.js';
import {formatDuration} from '../../src/core/format/duration.js';
import {readTheme} from '../shared/theme.js';
import {chartColors, createSvg, drawLegend} from './chart-svg.js';
import {t} from '../shared/translate.js';

const rowPx = 30;
const margin = {left: 150, right: 24, top: 28, bottom: 30};

/** A bar: one pass of a layer. */
interface Bar {
  readonly layer: string;
  readonly pass: 'forward' | 'backward';
  readonly time: PassTime;
}

/** Returns the times of the layers as bars, forward above backward: computing or moving, then communication. */
export function estimateChart({blocks}: Estimate, widthPx: number): SVGSVGElement | null {
  const bars = blocks.flatMap(({name, layers}) =>
    layers.flatMap(({cost, time}): Bar[] => [
      {layer: `${name} ${cost.name}`, pass: 'forward', time: time.forward},
      {layer: `${name} ${cost.name}`, pass: 'backward', time: time.backward},
    ]),
  );
  const theme = readTheme();
  const heightPx = margin.top + (bars.length / 2) * rowPx + margin.bottom;
  const most = greatest(bars.map(({time}) => time.totalMs));
  const x = scaleLinear([0, most], [margin.left, widthPx - margin.right]).nice();
  const y = scaleBand(
    bars.filter(({pass}) => pass === 'forward').map(({layer}) => layer),
    [margin.top, heightPx - margin.bottom],
  ).padding(0.15);
  const svg = createSvg(widthPx, heightPx, theme);
  const {matrix, vector, communication} = chartColors(theme);
  drawLegend(svg, {left: margin.left, top: 16}, [
    {text: t('computing'), color: matrix, opacity: 1},
    {text: t('moving memory'), color: vector, opacity: 1},
    {text: t('communication'), color: communication, opacity: 1},
  ]);
  const half = y.bandwidth() / 2;
  const top = ({layer, pass}: Bar) => (y(layer) ?? 0) + (pass === 'forward' ? 0 : half);
  const rects = (width: (bar: Bar) => number, left: (bar: Bar) => number, fill: (bar: Bar) => string) =>
    svg
      .append('g')
      .selectAll('rect')
      .data(bars)
      .join('rect')
      .attr('x', left)
      .attr('y', top)
      .attr('width', width)
      .attr('height', half - 1)
      .attr('fill', fill)
      .append('title')
      .text(barText);
  rects(
    ({time}) => x(time.localMs) - x(0),
    () => x(0),
    ({time}) => (time.computeMs >= time.memoryMs ? matrix : vector),
  );
  rects(
    ({time}) => x(time.totalMs) - x(time.localMs),
    ({time}) => x(time.localMs),
    () => communication,
  );
  svg
    .append('g')
    .attr('transform', `translate(${String(margin.left)},0)`)
    .call(axisLeft(y).tickSize(0));
  svg
    .append('g')
    .attr('transform', `translate(0,${String(heightPx - margin.bottom)})`)
    .call(
      axisBottom(x)
        .ticks(Math.max(2, widthPx / 120))
        .tickFormat(value => formatDuration(Number(value) * 1e6)),
    );
  return svg.node();
}

function barText({layer, pass, time}: Bar): string {
  const ms = (value: number) => formatDuration(value * 1e6);
  return t(
    '{0}: {1}; computing {2}, moving memory {3}, communication {4}',
    `${layer} ${pass}`,
    ms(time.totalMs),
    ms(time.computeMs),
    ms(time.memoryMs),
    ms(time.communicationMs),
  );
}
