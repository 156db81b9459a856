import {formatCount} from '../../src/core/format/count.js';
import {formatDuration} from '../../src/core/format/duration.js';
import type {SliceDurations} from '../../src/core/questions/slice-durations.js';
import {errorText} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import {drawDurations, durationLines} from '../shared/durations.js';
import {t} from '../shared/translate.js';

/**
 * Shows the selected slice's duration among similar slices: a histogram below its details, if the user has opened it.
 */
export class DurationsSection {
  readonly element = element('div', {
    className: 'durations',
    attributes: {
      ...{'aria-live': 'polite', 'data-testid': 'durations', hidden: ''},
      ...{tabindex: '0', role: 'group', 'aria-label': t('Durations of those like this one')},
    },
  });
  readonly button = element('button', {
    className: 'link',
    text: t('Durations'),
    attributes: {type: 'button', 'aria-expanded': 'false', title: t('Show how long those like this one take')},
  });
  #isOpen = false;
  #slice: number | null = null;
  #asked = 0;

  constructor(
    private readonly read: (slice: number) => Promise<SliceDurations | null>,
    private readonly goTo: (slice: number) => void,
  ) {
    this.button.addEventListener('click', () => {
      this.#isOpen = !this.#isOpen;
      this.button.setAttribute('aria-expanded', String(this.#isOpen));
      void this.#draw();
    });
  }

  /** Shows another slice; nothing if there is none, or if no others are similar. */
  show(slice: number | null): void {
    this.#slice = slice;
    void this.#draw();
  }

  async #draw(): Promise<void> {
    const asked = ++this.#asked;
    const slice = this.#slice;
    if (!this.#isOpen || slice === null) {
      this.element.hidden = true;
      this.element.replaceChildren();
      return;
    }
    let content: HTMLElement[] | null;
    try {
      const durations = await this.read(slice);
      content = durations && this.#contentOf(durations);
    } catch (error) {
      content = [element('p', {text: errorText(error)})];
    }
    if (this.#asked !== asked || !content) return;
    this.element.replaceChildren(...content);
    this.element.hidden = false;
  }

  #contentOf({spread, ownNs, shorter, longer}: SliceDurations): HTMLElement[] {
    const picture = element('div', {children: []});
    picture.append(drawDurations(spread, ownNs));
    const own = t(
      'This one takes {0}: {1} take less, {2} take more.',
      formatDuration(ownNs),
      formatCount(shorter),
      formatCount(longer),
    );
    const outlier = ownNs > spread.outlierAboveNs ? [t('It is an outlier.')] : [];
    const outliers = spread.longest.map(({slice, startNs, durationNs}) => {
      const text = t('{0} at {1}', formatDuration(durationNs), formatDuration(startNs));
      const link = element('button', {className: 'link', text, attributes: {type: 'button'}});
      link.addEventListener('click', () => this.goTo(slice));
      return link;
    });
    return [
      picture,
      element('p', {text: [own, ...outlier].join(' ')}),
      ...durationLines(spread).map(text => element('p', {text})),
      ...(outliers.length === 0 ? [] : [element('p', {className: 'outliers', children: outliers})]),
    ];
  }
}
