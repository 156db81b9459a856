import {readText} from '../../src/core/format/count.js';
import type {Opening} from '../shared/content.js';
import {element} from '../shared/dom.js';
import {t} from '../shared/translate.js';
import {button} from '../shared/ui.js';
import type {Timeline} from './timeline.js';

/** The bar's effects on the view. */
interface ReadingBarListener {
  /** The first picture of a profile was drawn. */
  begun(name: string): void;
  cancel(): void;
}

/** Shows progress in the bar, with a button to cancel, while a profile is read and its first part is drawn. */
export class ReadingBar {
  readonly element: HTMLElement;
  readonly #text = element('span', {className: 'muted', attributes: {'data-testid': 'reading'}});
  readonly #cancel: HTMLElement;
  #key = -1;

  /** @param asking controls that query the profile; hidden until it can be queried */
  constructor(
    private readonly timeline: () => Timeline,
    private readonly asking: readonly HTMLElement[],
    private readonly listener: ReadingBarListener,
  ) {
    this.element = element('span', {className: 'reading'});
    this.#cancel = button(t('Cancel'), () => listener.cancel(), 'secondary');
    this.#show(false);
  }

  /** Draws what was read so far of a profile; returns false before there is anything. */
  take(opening: Opening): boolean {
    const timeline = this.timeline();
    if (opening.key !== this.#key) this.end();
    this.#key = opening.key;
    if (opening.picture) {
      if (!timeline.isSketched) this.#begin(opening.name);
      timeline.sketch(opening.picture);
    }
    const percent = Math.floor(100 * opening.fraction);
    this.#text.textContent = t('{0} % read, {1} so far', percent, readText(opening.events));
    return timeline.isSketched;
  }

  /** The profile is open, or failed to open. */
  end(): void {
    this.timeline().sketch(null);
    this.#show(false);
  }

  #begin(name: string): void {
    this.listener.begun(name);
    this.#show(true);
  }

  #show(isReading: boolean): void {
    this.element.hidden = !isReading;
    this.element.replaceChildren(...(isReading ? [this.#text, this.#cancel] : []));
    for (const each of this.asking) each.hidden = isReading;
  }
}
