import type {BenchmarkProgress} from '../../src/protocol/benchmark-messages.js';
import {element} from '../shared/dom.js';
import {button} from '../shared/ui.js';
import {t} from '../shared/translate.js';

/** Shows the progress of a sweep, with a button to end it; hidden while no sweep runs. */
export class ProgressLine {
  readonly #bar = element('progress', {attributes: {'aria-label': t('Measured points')}});
  readonly #text = element('span', {attributes: {'aria-live': 'polite', 'data-testid': 'progress'}});
  readonly element: HTMLElement;

  constructor(onCancel: () => void) {
    this.element = element('div', {
      className: 'bar progress-line',
      children: [
        this.#bar,
        this.#text,
        element('span', {className: 'spring'}),
        button(t('Cancel'), onCancel, 'secondary'),
      ],
    });
    this.element.hidden = true;
  }

  show(progress: BenchmarkProgress | null): void {
    this.element.hidden = progress === null;
    if (!progress) return;
    const {doneCount, totalCount, text} = progress;
    this.#bar.max = totalCount;
    this.#bar.value = doneCount;
    const now = text === '' ? '' : `: ${text}`;
    this.#text.textContent = t('{0} of {1} points{2}', doneCount, totalCount, now);
  }
}
