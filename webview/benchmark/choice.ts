import {element} from '../shared/dom.js';

/** A list of choices, one of which is selected. */
export class Choice {
  readonly element = element('select');
  #shown = '';

  constructor(label: string, onChoose: (value: string) => void) {
    this.element.setAttribute('aria-label', label);
    this.element.addEventListener('change', () => {
      onChoose(this.element.value);
    });
  }

  show(choices: readonly {readonly value: string; readonly text: string}[], chosen: string): void {
    // Replacing the choices would close a list that the user has opened.
    const key = JSON.stringify(choices);
    if (key !== this.#shown) {
      this.#shown = key;
      const options = choices.map(({value, text}) => element('option', {text, attributes: {value}}));
      this.element.replaceChildren(...options);
    }
    if (this.element.value !== chosen) this.element.value = chosen;
    this.element.hidden = choices.length === 0;
  }
}
