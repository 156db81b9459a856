import {area, line, max, min, scaleLinear, scaleLog, scalePoint} from 'd3';
import {meanText, msText} from '../../src/core/benchmark/figure-text.js';
import {passTitle} from '../../src/core/benchmark/times-table.js';
import {element} from '../shared/dom.js';
import type {Curve, CurveFacet, CurvePoint} from './curve-series.js';
import {svg, svgText, titled} from '../shared/svg.js';
import {counted, say} from '../shared/translate.js';

const heightPx = 220;
/** Around all pictures, and between two; as in the style sheet. */
const paddingPx = 8;
const gapPx = 12;
const margin = {topPx: 22, rightPx: 16, bottomPx: 28, leftPx: 56};
/** Number of colours; further lines are dashed. */
const colourCount = 6;

/** Draws means over an axis, with a band of one standard deviation on both sides, in one picture per pass. */
export class Curves {
  readonly element = element('div', {className: 'charts', attributes: {'data-testid': 'curves'}});
  #facets: readonly CurveFacet[] = [];
  #axisTitle = '';

  constructor(private readonly onSelect: (id: number) => void) {
    new ResizeObserver(() => {
      this.#draw();
    }).observe(this.element);
  }

  show(facets: readonly CurveFacet[], axisTitle: string): void {
    this.#facets = facets;
    this.#axisTitle = axisTitle;
    this.#draw();
  }

  #draw(): void {
    const roomPx = this.element.clientWidth - 2 * paddingPx;
    this.element.hidden = this.#facets.length === 0;
    if (this.#facets.length === 0) return;
    const perRow = Math.max(1, Math.min(this.#facets.length, Math.floor(roomPx / 320)));
    const widthPx = Math.max(240, Math.floor((roomPx - gapPx * (perRow - 1)) / perRow));
    const legend = new Set(this.#facets.flatMap(({curves}) => curves.map(({label}) => label)));
    const labels = Array.from(legend);
    this.element.replaceChildren(
      ...this.#facets.map(facet => this.#facet(facet, widthPx, labels)),
      ...(labels.length > 1 ? [legendOf(labels)] : []),
    );
  }

  #facet({pass, curves}: CurveFacet, widthPx: number, labels: readonly string[]): HTMLElement {
    const points = curves.flatMap(curve => curve.points);
    const x = xScale(points, widthPx);
    const highest = max(points, ({meanNs, stdNs}) => (meanNs ?? 0) + stdNs) ?? 0;
    const y = scaleLinear([0, highest > 0 ? highest : 1], [heightPx - margin.bottomPx, margin.topPx]).nice(5);
    const picture = svg('svg', {
      width: widthPx,
      height: heightPx,
      role: 'img',
      'aria-label': counted(
        curves.length,
        '{1}: mean over {2}, {0} curve',
        '{1}: mean over {2}, {0} curves',
        say(passTitle(pass)),
        this.#axisTitle,
      ),
    });
    picture.append(
      svgText(`${say(passTitle(pass))} (ms)`, {x: margin.leftPx, y: 14, class: 'chart-title'}),
      ...yAxis(y.ticks(5), y, widthPx),
      ...xAxis(points, x, widthPx, this.#axisTitle),
      ...curves.flatMap(curve => this.#curve(curve, labels.indexOf(curve.label), x, y)),
    );
    return element('div', {className: 'chart', children: [picture]});
  }

  #curve({label, points}: Curve, at: number, x: Scale, y: (ns: number) => number): SVGElement[] {
    const known = points.filter((point): point is CurvePoint & {meanNs: number} => point.meanNs !== null);
    const place = ({x: value}: CurvePoint) => x(value);
    const band = area<(typeof known)[number]>(
      place,
      ({meanNs, stdNs}) => y(Math.max(0, meanNs - stdNs)),
      ({meanNs, stdNs}) => y(meanNs + stdNs),
    );
    const path = line<(typeof known)[number]>(place, ({meanNs}) => y(meanNs));
    const classes = curveClass(at);
    return [
      svg('path', {d: band(known) ?? '', class: `band ${classes}`}),
      svg('path', {d: path(known) ?? '', class: `curve ${classes}`}),
      ...points.map(point => {
        const {id, meanNs, stdNs, problem} = point;
        const told = meanNs === null ? (problem ?? '') : `${meanText({meanNs, stdNs})} ms`;
        const mark =
          meanNs === null
            ? svgText('✕', {x: place(point), y: margin.topPx + 10, class: 'problem', 'text-anchor': 'middle'})
            : svg('circle', {cx: place(point), cy: y(meanNs), r: 3.5, class: `dot ${classes}`});
        mark.addEventListener('click', () => {
          this.onSelect(id);
        });
        return titled(mark, [label, String(point.x), told].filter(text => text !== '').join('\n'));
      }),
    ];
  }
}

type Scale = (value: string | number) => number;

/**
 * Places numbers on a linear axis, or on a logarithmic one if the largest is at least 4 times the smallest. Places
 * sizes one after the other.
 */
function xScale(points: readonly CurvePoint[], widthPx: number): Scale {
  const range = [margin.leftPx + 12, widthPx - margin.rightPx - 12] as const;
  const numbers = points.flatMap(({x}) => (typeof x === 'number' ? [x] : []));
  if (numbers.length === points.length && numbers.length > 0) {
    const [low = 1, high = 1] = [min(numbers), max(numbers)];
    const scale = low > 0 && high >= 4 * low ? scaleLog([low, high], range).base(2) : scaleLinear([low, high], range);
    return value => scale(Number(value));
  }
  const scale = scalePoint(Array.from(new Set(points.map(({x}) => String(x)))), range);
  return value => scale(String(value)) ?? range[0];
}

function yAxis(ticks: readonly number[], y: (ns: number) => number, widthPx: number): SVGElement[] {
  const largest = ticks.at(-1) ?? 0;
  return ticks.flatMap(ns => [
    svg('line', {x1: margin.leftPx, x2: widthPx - margin.rightPx, y1: y(ns), y2: y(ns), class: 'rule'}),
    svgText(msText(ns, largest), {x: margin.leftPx - 6, y: y(ns) + 4, class: 'tick', 'text-anchor': 'end'}),
  ]);
}

function xAxis(points: readonly CurvePoint[], x: Scale, widthPx: number, title: string): SVGElement[] {
  const values = Array.from(new Set(points.map(point => point.x)));
  // A label needs about 60 px.
  const step = Math.max(1, Math.ceil((values.length * 60) / (widthPx - margin.leftPx)));
  const ticks = values.filter((_, at) => at % step === 0);
  const y = heightPx - margin.bottomPx;
  return [
    svg('line', {x1: margin.leftPx, x2: widthPx - margin.rightPx, y1: y, y2: y, class: 'axis'}),
    ...ticks.map(value => svgText(String(value), {x: x(value), y: y + 14, class: 'tick', 'text-anchor': 'middle'})),
    svgText(title, {x: widthPx - margin.rightPx, y: y + 26, class: 'tick muted-text', 'text-anchor': 'end'}),
  ];
}

function legendOf(labels: readonly string[]): HTMLElement {
  const entries = labels.map((label, at) => {
    const sample = svg('svg', {width: 26, height: 10, 'aria-hidden': 'true'}, [
      svg('line', {x1: 1, x2: 25, y1: 5, y2: 5, class: `curve ${curveClass(at)}`}),
    ]);
    return element('span', {className: 'legend-entry', children: [sample, element('span', {text: label})]});
  });
  return element('div', {className: 'legend', children: entries});
}

function curveClass(at: number): string {
  return `colour-${String(at % colourCount)} dash-${String(Math.floor(at / colourCount) % 3)}`;
}
