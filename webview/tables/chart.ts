import {greatest, least as leastOf} from '../../src/core/table/extremes.js';
import {scaleBand, scaleLinear} from 'd3';
import {shortenMiddle} from '../../src/core/format/shorten-middle.js';
import type {TableChart} from '../../src/core/tabs/table-chart.js';
import type {ThemeKind} from '../shared/colors.js';
import {svg, svgText, titled} from '../shared/svg.js';
import {stackedBar} from './stacked-bars.js';
import {counted, say, t} from '../shared/translate.js';

const rowPx = 20;
const letterPx = 7.5;
const gapPx = 8;
const topPx = 22;

/** The positions in a chart, in CSS px. */
export interface ChartPlaces {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Where names end, and bars begin. */
  readonly zeroPx: number;
  readonly nameLetters: number;
  readonly bars: readonly {readonly leftPx: number; readonly widthPx: number; readonly topPx: number}[];
}

/** Lays out bars: names on the left, the longest bar and its number within the width; negative bars go to the left. */
export function chartPlaces({bars}: TableChart, widthPx: number): ChartPlaces {
  const longest = (texts: readonly string[]) => texts.reduce((most, {length}) => Math.max(most, length), 1);
  const nameLetters = Math.min(longest(bars.map(({name}) => name)), Math.max(12, Math.floor(widthPx / 3 / letterPx)));
  const numberPx = longest(bars.map(({text}) => text)) * letterPx + gapPx;
  const values = bars.map(({value}) => value);
  const namesPx = nameLetters * letterPx + gapPx;
  const least = Math.min(0, leastOf(values));
  const from = namesPx + (least < 0 ? numberPx : 0);
  const x = scaleLinear([least, Math.max(0, greatest(values))], [from, Math.max(from + 40, widthPx - numberPx)]);
  const heightPx = topPx + bars.length * rowPx;
  const y = scaleBand([...bars.keys()], [topPx, heightPx]).padding(0.15);
  // If all values are zero, no bar has a width.
  const at = (value: number) => (least === 0 && values.every(other => other === 0) ? from : x(value));
  return {
    ...{widthPx, heightPx, nameLetters, zeroPx: at(0)},
    bars: values.map((value, bar) => ({
      leftPx: Math.min(at(0), at(value)),
      widthPx: Math.abs(at(value) - at(0)),
      topPx: y(bar) ?? 0,
    })),
  };
}

/** Draws the bars of a column, stacked if it has parts, with the names and numbers of the rows. */
export function drawChart(chart: TableChart, widthPx: number, theme: ThemeKind): SVGElement {
  const places = chartPlaces(chart, widthPx);
  const drawn = chart.bars.length;
  const said =
    drawn === chart.rowCount
      ? counted(drawn, '{0} row', '{0} rows')
      : t('the first {0} of {1}', drawn, counted(chart.rowCount, '{0} row', '{0} rows'));
  const picture = svg('svg', {
    ...{width: places.widthPx, height: places.heightPx, role: 'img'},
    'aria-label': `${say(chart.title)}: ${said}`,
  });
  picture.append(svgText(`${say(chart.title)}, ${said}`, {x: gapPx, y: 14, class: 'caption'}));
  chart.bars.forEach((bar, at) => {
    const {name, value, text} = bar;
    const {leftPx, widthPx: barPx, topPx: barTopPx} = places.bars[at];
    const baselinePx = barTopPx + rowPx * 0.6;
    const isNegative = value < 0;
    const numberAt = isNegative
      ? {x: leftPx - gapPx / 2, 'text-anchor': 'end'}
      : {x: leftPx + barPx + gapPx / 2, 'text-anchor': 'start'};
    const row = svg('g', {class: 'bar-row'}, [
      svgText(shortenMiddle(name, places.nameLetters), {x: gapPx / 2, y: baselinePx, class: 'name'}),
      bar.parts
        ? stackedBar(bar, {leftPx, widthPx: barPx, topPx: barTopPx, heightPx: rowPx * 0.85}, theme)
        : svg('rect', {x: leftPx, y: barTopPx, width: barPx, height: rowPx * 0.85, class: 'mark'}),
      svgText(text, {...numberAt, y: baselinePx, class: 'number'}),
    ]);
    picture.append(titled(row, `${name}: ${text}`));
  });
  picture.append(svg('line', {x1: places.zeroPx, x2: places.zeroPx, y1: topPx, y2: places.heightPx, class: 'zero'}));
  return picture;
}
