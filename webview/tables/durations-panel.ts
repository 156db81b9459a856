import {formatDuration} from '../../src/core/format/duration.js';
import type {RowDurations} from '../../src/core/tabs/row-durations.js';
import {errorText} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import {drawDurations, durationLines} from '../shared/durations.js';
import {t} from '../shared/translate.js';
import {button} from '../shared/ui.js';

/** Shows how long each of a row's slices took: a histogram, and the outliers with their place in the timeline. */
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

  /** @param asked the durations of the row with this name */
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
