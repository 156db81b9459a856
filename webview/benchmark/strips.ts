import {max, scaleBand, scaleLinear, type ScaleBand} from 'd3';
import {meanText, msText} from '../../src/core/benchmark/figure-text.js';
import {outliers, stepStatistics} from '../../src/core/benchmark/step-statistics.js';
import {element} from '../shared/dom.js';
import type {Strip} from './measurement-text.js';
import {svg, svgText, titled} from '../shared/svg.js';
import {t} from '../shared/translate.js';

const heightPx = 130;
const margin = {topPx: 18, rightPx: 6, bottomPx: 18, leftPx: 52};

/** Returns strips side by side: one bar per step, hollow for warm-up steps, outliers marked. */
export function stripsElement(strips: readonly Strip[]): HTMLElement {
  return element('div', {
    className: 'strips',
    attributes: {'data-testid': 'strips'},
    children: strips.map(stripElement),
  });
}

function stripElement(strip: Strip): HTMLElement {
  const all = [...strip.warmupNs, ...strip.stepNs];
  const widthPx = Math.min(640, margin.leftPx + margin.rightPx + Math.max(160, 18 * all.length));
  const range = [margin.leftPx, widthPx - margin.rightPx] as const;
  const x = scaleBand(Array.from(all.keys()), range).padding(0.2);
  const y = scaleLinear([0, max(all) ?? 1], [heightPx - margin.bottomPx, margin.topPx]).nice(3);
  const picture = svg('svg', {width: widthPx, height: heightPx, role: 'img', 'aria-label': stripText(strip)});
  for (const ns of y.ticks(3)) {
    picture.append(
      svg('line', {x1: range[0], x2: range[1], y1: y(ns), y2: y(ns), class: 'rule'}),
      svgText(msText(ns, y.domain()[1]), {x: range[0] - 6, y: y(ns) + 4, class: 'tick', 'text-anchor': 'end'}),
    );
  }
  picture.append(...bars(strip, x, y), ...divider(strip, x));
  const figures = stepStatistics(all);
  const caption = [
    element('span', {className: 'strip-title', text: strip.title}),
    element('span', {text: figures ? ` ${meanText(figures)} ms` : ''}),
  ];
  return element('figure', {className: 'strip', children: [element('figcaption', {children: caption}), picture]});
}

/** Draws one bar per step. Outliers are determined among all drawn steps, including a slow warm-up step. */
function bars({warmupNs, stepNs}: Strip, x: ScaleBand<number>, y: (ns: number) => number): SVGElement[] {
  const all = [...warmupNs, ...stepNs];
  const isOut = outliers(all);
  return all.flatMap((ns, at) => {
    const isWarmup = at < warmupNs.length;
    const name = isWarmup ? t('Warm-up step {0}', at + 1) : t('Step {0}', at + 1 - warmupNs.length);
    const place = {x: x(at) ?? 0, y: y(ns), width: x.bandwidth(), height: Math.max(1, y(0) - y(ns))};
    const kind = `bar-mark ${isWarmup ? 'warmup' : 'measured'}`;
    if (!isOut[at]) return [titled(svg('rect', {...place, class: kind}), `${name}: ${msText(ns)} ms`)];
    const middle = place.x + place.width / 2;
    return [
      titled(svg('rect', {...place, class: `${kind} outlier`}), t('{0}: {1} ms, an outlier', name, msText(ns))),
      svgText('▾', {x: middle, y: place.y - 3, class: 'outlier-mark', 'text-anchor': 'middle'}),
    ];
  });
}

/** Draws the line between warm-up steps and measured ones. */
function divider({warmupNs, stepNs}: Strip, x: ScaleBand<number>): SVGElement[] {
  if (warmupNs.length === 0 || stepNs.length === 0) return [];
  const at = (x(warmupNs.length) ?? 0) - (x.step() - x.bandwidth()) / 2;
  return [
    svg('line', {x1: at, x2: at, y1: margin.topPx, y2: heightPx - margin.bottomPx, class: 'axis'}),
    svgText(t('warm-up'), {x: at - 4, y: heightPx - 5, class: 'tick', 'text-anchor': 'end'}),
    svgText(t('measured'), {x: at + 4, y: heightPx - 5, class: 'tick'}),
  ];
}

/** Returns the description of a strip for screen readers. */
function stripText({title, warmupNs, stepNs}: Strip): string {
  const all = [...warmupNs, ...stepNs];
  const out = outliers(all).flatMap((is, at) => (is ? [String(at + 1)] : []));
  const told = out.length > 0 ? t('outliers: {0}', out.join(', ')) : t('no outliers');
  return t(
    '{0}: {1} warm-up and {2} measured steps, {3}',
    title.replace(/:$/, ''),
    warmupNs.length,
    stepNs.length,
    told,
  );
}
