import {element} from '../shared/dom.js';

/** Returns a control with its label. */
function labelled(label: string, control: HTMLElement): HTMLElement {
  // A screen reader would read a label around a list with all of its choices.
  control.setAttribute('aria-label', label);
  return element('label', {className: 'control', children: [element('span', {text: label}), control]});
}

export interface Choice {
  readonly value: string;
  readonly text: string;
}

/** A list of choices, one of which is selected. */
export class Select {
  readonly #select = element('select');
  readonly element: HTMLElement;

  constructor(label: string, choices: readonly Choice[], onChange: () => void) {
    this.element = labelled(label, this.#select);
    this.offer(choices);
    this.#select.addEventListener('change', onChange);
  }

  /** Replaces the choices; the selected one stays selected if it is among them. */
  offer(choices: readonly Choice[]): void {
    const {value} = this.#select;
    this.#select.replaceChildren(...choices.map(choice => new Option(choice.text, choice.value)));
    if (choices.some(choice => choice.value === value)) this.#select.value = value;
  }

  get value(): string {
    return this.#select.value;
  }

  set value(value: string) {
    this.#select.value = value;
  }

  /** Selects a choice that was stored, if it is still offered. */
  restore(stored: unknown): void {
    if ([...this.#select.options].some(({value}) => value === stored)) this.#select.value = stored as string;
  }
}

/** A whole number from 1; anything else is invalid, and is read as NaN. */
export class NumberField {
  readonly #input = element('input', {attributes: {type: 'number', min: '1', step: '1', required: ''}});
  readonly element: HTMLElement;

  constructor(label: string, onChange: () => void) {
    this.element = labelled(label, this.#input);
    this.#input.addEventListener('input', onChange);
  }

  get value(): number {
    return this.#input.valueAsNumber;
  }

  set value(value: number) {
    this.#input.value = Number.isFinite(value) ? String(value) : '';
  }
}

/** A check box. */
export class CheckBox {
  readonly #input = element('input', {attributes: {type: 'checkbox'}});
  readonly element: HTMLElement;

  constructor(label: string, onChange: () => void) {
    this.element = labelled(label, this.#input);
    this.#input.addEventListener('change', onChange);
  }

  get isOn(): boolean {
    return this.#input.checked;
  }

  set isOn(isOn: boolean) {
    this.#input.checked = isOn;
  }
}
