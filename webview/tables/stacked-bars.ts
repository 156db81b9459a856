import type {ChartBar, TableChart} from '../../src/core/tabs/table-chart.js';
import type {TimePart} from '../../src/core/summary/time-parts.js';
import type {ThemeKind} from '../shared/colors.js';
import {element} from '../shared/dom.js';
import {partColors} from '../shared/part-colors.js';
import {svg, titled} from '../shared/svg.js';
import {say, t} from '../shared/translate.js';

/** The colours of parts: the same time has the same colour in the summary. All kernels have the blue of most. */
const paintOfPart: Readonly<Record<string, TimePart>> = {
  Kernel: 'matrix product',
  Computation: 'matrix product',
  Memcpy: 'memcpy',
  'Exposed Memcpy': 'memcpy',
  Memset: 'memset',
  Communication: 'communication',
  'Exposed Comm': 'communication',
  Runtime: 'idle/launch',
  DataLoader: 'idle/loader',
  'CPU Exec': 'cpu/work',
  'Idle Not Launched': 'idle/wait',
  'Idle Launching': 'idle/launch',
  'Idle Queued': 'idle/allocation',
  'Idle Unknown': 'idle/other',
};

/** Returns the colour of a part of a bar. */
function partFill(title: string, theme: ThemeKind): string {
  return partColors(paintOfPart[title] ?? 'cpu/other', theme).fill;
}

/** The position of a bar in CSS px. */
export interface BarPlace {
  readonly leftPx: number;
  readonly widthPx: number;
  readonly topPx: number;
  readonly heightPx: number;
}

/** Returns the parts of a bar side by side, each with its number as a tooltip; an empty part has no mark. */
export function stackedBar(bar: ChartBar, place: BarPlace, theme: ThemeKind): SVGElement {
  const stack = svg('g');
  let fromPx = place.leftPx;
  for (const {title, value, text} of bar.parts ?? []) {
    if (value <= 0 || bar.value <= 0) continue;
    const partPx = (place.widthPx * value) / bar.value;
    const mark = svg('rect', {
      ...{x: fromPx, y: place.topPx, width: partPx, height: place.heightPx},
      ...{class: 'part', fill: partFill(title, theme)},
    });
    stack.append(titled(mark, t('{0}: {1} {2} of {3}', bar.name, say(title), text, bar.text)));
    fromPx += partPx;
  }
  return stack;
}

/** Returns the legend of a chart's parts; null if bars have none. */
export function chartLegend({bars}: TableChart, theme: ThemeKind): HTMLElement | null {
  const titles = new Set(bars.flatMap(({parts = []}) => parts.flatMap(({title, value}) => (value > 0 ? [title] : []))));
  if (titles.size === 0) return null;
  const entries = Array.from(titles, title => {
    const swatch = element('span', {className: 'swatch', attributes: {'aria-hidden': 'true'}});
    swatch.style.background = partFill(title, theme);
    return element('span', {className: 'legend-entry', children: [swatch, document.createTextNode(say(title))]});
  });
  return element('div', {className: 'legend', attributes: {'data-testid': 'legend'}, children: entries});
}
