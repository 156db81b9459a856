import {element} from '../shared/dom.js';

/** A list of which one is chosen. */
export class Choice {
  readonly element = element('select');

  constructor(label: string, onChoose: (value: string) => void) {
    this.element.setAttribute('aria-label', label);
    this.element.addEventListener('change', () => {
      onChoose(this.element.value);
    });
  }

  show(choices: readonly {readonly value: string; readonly text: string}[], chosen: string): void {
    const options = choices.map(({value, text}) => element('option', {text, attributes: {value}}));
    this.element.replaceChildren(...options);
    this.element.value = chosen;
    this.element.hidden = choices.length === 0;
  }
}
