import {isFields} from '../../src/core/base/read-json.js';
import {element} from '../shared/dom.js';
import {t} from '../shared/translate.js';

const leastPx = 40;
const keyPx = 18;
/** The details take at most this share of the view. */
const mostShare = 0.7;

/** The line above the details: a drag or the arrow keys resize them; a double click restores their own height. */
export class DetailsSize {
  readonly element = element('div', {
    className: 'details-size',
    attributes: {
      ...{role: 'separator', tabindex: '0', 'aria-orientation': 'horizontal'},
      ...{'aria-label': t('Height of the details'), 'aria-valuemin': String(leastPx)},
      title: t('Drag to make the details larger, double-click to undo'),
    },
  });
  #px: number | null;

  /**
   * @param stored an earlier value of `stored`
   * @param changed is called when the height has changed and must be stored
   */
  constructor(
    private readonly details: HTMLElement,
    stored: unknown,
    private readonly changed: () => void,
  ) {
    const px = isFields(stored) ? stored['detailsPx'] : null;
    this.#px = typeof px === 'number' && Number.isFinite(px) ? px : null;
    this.element.addEventListener('pointerdown', event => this.#drag(event));
    this.element.addEventListener('dblclick', () => this.#resize(null));
    this.element.addEventListener('keydown', event => {
      const step = {ArrowUp: keyPx, ArrowDown: -keyPx}[event.key];
      if (step === undefined) return;
      event.preventDefault();
      this.#resize(this.details.offsetHeight + step);
    });
    this.#apply();
  }

  /** The state to store. */
  get stored(): {readonly detailsPx: number | null} {
    return {detailsPx: this.#px};
  }

  #drag({pointerId, clientY}: PointerEvent): void {
    const fromPx = this.details.offsetHeight;
    const move = (event: PointerEvent) => this.#resize(fromPx + clientY - event.clientY);
    this.element.setPointerCapture(pointerId);
    this.element.addEventListener('pointermove', move);
    this.element.addEventListener('lostpointercapture', () => this.element.removeEventListener('pointermove', move), {
      once: true,
    });
  }

  #resize(px: number | null): void {
    this.#px = px === null ? null : Math.round(Math.max(leastPx, Math.min(px, mostShare * window.innerHeight)));
    this.#apply();
    this.changed();
  }

  #apply(): void {
    this.details.style.height = this.#px === null ? '' : `min(${String(this.#px)}px, ${String(100 * mostShare)}vh)`;
    this.details.classList.toggle('sized', this.#px !== null);
    // The height in pixels, for screen readers.
    this.element.setAttribute('aria-valuenow', String(this.details.offsetHeight));
    this.element.setAttribute('aria-valuemax', String(Math.round(mostShare * window.innerHeight)));
  }
}
