import {scaleLinear} from 'd3';
import {formatCount} from '../../src/core/format/count.js';
import {formatDuration} from '../../src/core/format/duration.js';
import type {RowDurations} from '../../src/core/tabs/row-durations.js';
import {greatest} from '../../src/core/table/extremes.js';
import {errorText} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import {svg, svgText, titled} from '../shared/svg.js';
import {counted, t} from '../shared/translate.js';
import {button} from '../shared/ui.js';

const [widthPx, heightPx, bottomPx] = [520, 110, 18];

/** How long each of a row's slices took: a histogram, and the outliers with their place in the timeline. */
export class DurationsPanel {
  readonly element = element('section', {
    className: 'durations',
    attributes: {'aria-label': t('Durations'), 'aria-live': 'polite', hidden: ''},
  });
  #asked: object | null = null;

  constructor(private readonly showSlice: (slice: number, startNs: number, durationNs: number) => void) {}

  hide(): void {
    this.#asked = null;
    this.element.hidden = true;
  }

  /** @param asked the durations of the row that is called `name` */
  async show(name: string, asked: Promise<RowDurations | null>): Promise<void> {
    this.#asked = asked;
    let content: HTMLElement[];
    try {
      const durations = await asked;
      content = durations ? this.#contentOf(name, durations) : [element('p', {text: t('There is none of them here.')})];
    } catch (error) {
      content = [element('p', {text: errorText(error)})];
    }
    if (this.#asked !== asked) return;
    const close = button(
      t('Close'),
      () => {
        this.hide();
      },
      'icon',
    );
    this.element.replaceChildren(...content, close);
    this.element.hidden = false;
  }

  #contentOf(name: string, durations: RowDurations): HTMLElement[] {
    const picture = element('div', {children: []});
    picture.append(drawDurations(durations));
    const told = durationLines(durations).map(text => element('p', {text}));
    const outliers = durations.longest.map(({slice, startNs, durationNs}) =>
      button(
        t('{0} at {1}', formatDuration(durationNs), formatDuration(startNs)),
        () => {
          this.showSlice(slice, startNs, durationNs);
        },
        'icon',
      ),
    );
    return [element('h2', {text: t('Durations of {0}', name)}), picture, ...told, ...outliers];
  }
}

/** What a histogram says, in words. */
function durationLines(durations: RowDurations): string[] {
  const {count, leastNs, lowerNs, medianNs, upperNs, mostNs, outliers, outlierNs, outlierAboveNs} = durations;
  const spread = t(
    '{0}: median {1}, half from {2} to {3}, all from {4} to {5}.',
    formatCount(count),
    formatDuration(medianNs),
    formatDuration(lowerNs),
    formatDuration(upperNs),
    formatDuration(leastNs),
    formatDuration(mostNs),
  );
  if (outliers === 0) return [spread, t('No outliers.')];
  return [
    spread,
    counted(
      outliers,
      '{0} outlier above {1}, {2} together. The longest:',
      '{0} outliers above {1}, {2} together. The longest:',
      formatDuration(outlierAboveNs),
      formatDuration(outlierNs),
    ),
  ];
}

/** The histogram as a picture. */
function drawDurations({bins, leastNs, binsToNs, count, outliers}: RowDurations): SVGElement {
  const picture = svg('svg', {
    ...{width: widthPx, height: heightPx, role: 'img'},
    'aria-label': t(
      'Histogram of {0} durations from {1} to {2}',
      formatCount(count - outliers),
      formatDuration(leastNs),
      formatDuration(binsToNs),
    ),
  });
  const most = greatest(bins);
  const y = scaleLinear([0, Math.max(1, most)], [0, heightPx - bottomPx - 4]);
  const binPx = widthPx / bins.length;
  const binNs = (binsToNs - leastNs) / bins.length;
  bins.forEach((slices, at) => {
    // One of many would be narrower than a pixel, and is there.
    const barPx = slices === 0 ? 0 : Math.max(1, y(slices));
    const mark = svg('rect', {
      ...{x: at * binPx, width: Math.max(1, binPx - 1), y: heightPx - bottomPx - barPx, height: barPx, class: 'mark'},
    });
    const [from, to] = [leastNs + at * binNs, leastNs + (at + 1) * binNs];
    picture.append(titled(mark, t('{0} to {1}: {2}', formatDuration(from), formatDuration(to), formatCount(slices))));
  });
  picture.append(svgText(formatDuration(leastNs), {x: 0, y: heightPx - 4, class: 'number'}));
  picture.append(
    svgText(formatDuration(binsToNs), {x: widthPx, y: heightPx - 4, class: 'number', 'text-anchor': 'end'}),
  );
  return picture;
}
