import type {Selection} from '../../src/core/queries/selection.js';
import type {TableChoices} from '../../src/core/tables/table-tabs.js';
import {element} from '../shared/dom.js';

/** What the user has chosen in the bar. */
export interface BarState {
  readonly text: string;
  readonly isRegex: boolean;
  readonly selection: Selection;
}

const filterAfterMs = 150;

/** The bar with the filter and what the tables are narrowed to. */
export class Toolbar {
  readonly element = element('div', {className: 'bar', attributes: {role: 'toolbar', 'aria-label': 'Filter'}});
  readonly #text = element('input', {
    attributes: {type: 'search', placeholder: 'Filter names', 'aria-label': 'Filter names', size: '24'},
  });
  readonly #regex = element('input', {attributes: {type: 'checkbox', id: 'regex'}});
  readonly #range = element('input', {
    attributes: {type: 'search', placeholder: 'Range', 'aria-label': 'Only work of this range', size: '20'},
  });
  readonly #thread = element('select', {attributes: {'aria-label': 'Thread'}});
  readonly #device = element('select', {attributes: {'aria-label': 'Device'}});
  readonly #step = element('select', {attributes: {'aria-label': 'Step'}});
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly onChange: () => void) {
    const label = element('label', {text: 'Regex', attributes: {for: 'regex'}});
    this.element.append(this.#text, this.#regex, label, this.#range, this.#thread, this.#device, this.#step);
    this.#text.addEventListener('input', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(this.onChange, filterAfterMs);
    });
    for (const control of [this.#regex, this.#range, this.#thread, this.#device, this.#step]) {
      control.addEventListener('change', this.onChange);
    }
  }

  /** Offers what a profile has; what there is one of needs no choice. */
  offer({threads, devices, steps}: TableChoices, isText: boolean): void {
    fill(
      this.#thread,
      'All threads',
      threads.map(({track, name}) => [String(track), name]),
    );
    fill(
      this.#device,
      'All devices',
      devices.map(id => [String(id), `GPU ${String(id)}`]),
    );
    fill(
      this.#step,
      'All steps',
      steps.map(number => [String(number), `Step ${String(number)}`]),
    );
    this.#range.hidden = isText;
  }

  get state(): BarState {
    const number = ({value}: HTMLSelectElement) => (value === '' ? null : Number(value));
    const [track, device, step] = [this.#thread, this.#device, this.#step].map(number);
    const range = this.#range.value.trim();
    return {
      text: this.#text.value,
      isRegex: this.#regex.checked,
      selection: {
        ...(range !== '' && {range}),
        ...(track !== null && {track}),
        ...(device !== null && {device}),
        ...(step !== null && {step}),
      },
    };
  }

  setRange(range: string): void {
    this.#range.value = range;
  }

  clearFilter(): void {
    this.#text.value = '';
  }

  /** Marks a filter that could not be understood. */
  markInvalid(isInvalid: boolean): void {
    this.#text.setAttribute('aria-invalid', String(isInvalid));
  }
}

function fill(
  select: HTMLSelectElement,
  all: string,
  choices: readonly (readonly [value: string, text: string])[],
): void {
  const option = (value: string, text: string) => element('option', {text, attributes: {value}});
  select.replaceChildren(option('', all), ...choices.map(([value, text]) => option(value, text)));
  select.hidden = choices.length < 2;
}
